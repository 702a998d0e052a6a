import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileFloat, type NumberSettings } from './number-settings.ts';

/** A double-precision number. */
export interface FloatField extends FieldBase<'float', number>, NumberSettings {}

export const floatType: FieldType<FloatField> = {
  name: 'float',
  isCreatable: true,
  parts: (_, { min = 1.5 }) => [{ kind: 'float', example: min }],
  compileReader: compileFloat,
};
