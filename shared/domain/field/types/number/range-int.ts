import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileInt, fromAndTo, type NumberSettings } from './number-settings.ts';

/** Two whole numbers, either of which may be missing. */
export interface RangeIntField extends FieldBase<'rangeInt', never>, NumberSettings {}

export const rangeIntType: FieldType<RangeIntField> = {
  name: 'rangeInt',
  isUnordered: true,
  parts: () => fromAndTo([{ kind: 'int' }]),
  compileReader: compileInt,
};
