import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileFloat, type NumberSettings } from './number-settings.ts';

/** A double-precision number. */
export const floatType: FieldType<FieldBase<'float', number> & NumberSettings> = {
  name: 'float',
  isCreatable: true,
  parts: (_, { min = 1.5 }) => [{ kind: 'float', example: min }],
  compileReader: compileFloat,
};
