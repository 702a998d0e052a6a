import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileInt, type NumberSettings } from './number-settings.ts';

/** A whole number of 32 bits. */
export interface IntField extends FieldBase<'int', number>, NumberSettings {
  /** Not stored: how many records these links to many have, or for how many this column of the link is set. */
  readonly counts?: { readonly links: readonly string[]; readonly column?: string };
}

export const intType: FieldType<IntField> = {
  name: 'int',
  isCreatable: true,
  search: 'number',
  parts: (_, { min = 1 }) => [{ kind: 'int', example: min }],
  compileReader: compileInt,
};
