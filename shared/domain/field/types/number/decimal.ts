import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileNumber, type NumberSettings } from './number-settings.ts';
import { readDecimal } from './read-decimal.ts';

/** An exact number with four decimal places. */
export const decimalType: FieldType<FieldBase<'decimal', string> & NumberSettings> = {
  name: 'decimal',
  isCreatable: true,
  parts: () => [{ kind: 'decimal', example: '10.2000' }],
  compileReader: compileNumber(readDecimal),
};
