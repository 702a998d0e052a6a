import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileFloat, fromAndTo, type NumberSettings } from './number-settings.ts';

/** A range between two numbers, either of which may be missing. */
export const rangeFloatType: FieldType<FieldBase<'rangeFloat', never> & NumberSettings> = {
  name: 'rangeFloat',
  isUnordered: true,
  parts: () => fromAndTo([{ kind: 'float' }]),
  compileReader: compileFloat,
};
