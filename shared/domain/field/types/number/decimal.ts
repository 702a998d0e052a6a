import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type NumberSettings, withRange } from './number-settings.ts';
import { readDecimal } from './read-decimal.ts';

/** An exact number with four decimals. */
export interface DecimalField extends FieldBase<'decimal', string>, NumberSettings {}

export const decimalType: FieldType<DecimalField> = {
  name: 'decimal',
  isCreatable: true,
  parts: () => [{ kind: 'decimal', example: '10.2000' }],
  compileReader(rule, definition) {
    const range = withRange(rule, definition);
    return (value, report) => readDecimal(range, value, report);
  },
};
