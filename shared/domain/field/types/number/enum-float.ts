import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileFloat, type NumberSettings } from './number-settings.ts';

/** A number. The options are suggestions. */
export interface EnumFloatField extends FieldBase<'enumFloat', number>, NumberSettings {
  readonly options?: readonly string[];
}

export const enumFloatType: FieldType<EnumFloatField> = {
  name: 'enumFloat',
  isCreatable: true,
  parts: () => [{ kind: 'float' }],
  compileReader: compileFloat,
};
