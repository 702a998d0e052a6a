import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileInt, fromAndTo, type NumberSettings } from './number-settings.ts';

/** A range between two integers, either of which may be missing. */
export const rangeIntType: FieldType<FieldBase<'rangeInt', never> & NumberSettings> = {
  name: 'rangeInt',
  isUnordered: true,
  parts: () => fromAndTo([{ kind: 'int' }]),
  compileReader: compileInt,
};
