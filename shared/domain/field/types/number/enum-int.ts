import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileInt, type NumberSettings } from './number-settings.ts';

/** A whole number. The options are suggestions. */
export interface EnumIntField extends FieldBase<'enumInt', number>, NumberSettings {
  readonly options?: readonly string[];
}

export const enumIntType: FieldType<EnumIntField> = {
  name: 'enumInt',
  isCreatable: true,
  parts: () => [{ kind: 'int' }],
  compileReader: compileInt,
};
