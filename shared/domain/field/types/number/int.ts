import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileInt, type NumberSettings } from './number-settings.ts';

/** A 32-bit integer. */
export interface IntField extends FieldBase<'int', number>, NumberSettings {
  /** For unstored fields: counts the records in these links, or only records whose column is set. */
  readonly counts?: { readonly links: readonly string[]; readonly column?: string };
}

export const intType: FieldType<IntField> = {
  name: 'int',
  isCreatable: true,
  search: 'number',
  parts: (_, { min = 1 }) => [{ kind: 'int', example: min }],
  compileReader: compileInt,
};
