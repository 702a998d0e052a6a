import { invalid, type Kept, type Report, refuse } from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { compileNumber, type NumberSettings } from './number-settings.ts';
import { keepInRange, type NumberRule } from './read-number.ts';

/** An exact number with four decimal places. */
export const decimalType: FieldType<FieldBase<'decimal', string> & NumberSettings> = {
  name: 'decimal',
  isCreatable: true,
  parts: () => [{ kind: 'decimal', example: '10.2000' }],
  compileReader: compileNumber(readDecimal),
};

/**
 * Reads an exact number with four decimal places, as text: `10.2` and `"10.2"` become `"10.2000"`. Further digits are
 * rounded half away from zero. At most 13 digits are allowed before the decimal point.
 */
function readDecimal(rule: NumberRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const decimal = toDecimal(value);
  if (decimal === undefined) {
    const requirement = 'must be a number with at most 13 digits before the decimal point';
    return refuse(rule, invalid('number', requirement), report);
  }
  return keepInRange(rule, Number(decimal), report) === undefined ? undefined : decimal;
}

function toDecimal(value: unknown): string | undefined {
  const match = form.exec(toPlainText(value));
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'));
  const rounded = digits + (fraction.charAt(SCALE) >= '5' ? 1n : 0n);
  if (rounded === 0n) return '0.0000';
  const text = rounded.toString().padStart(SCALE + 1, '0');
  if (text.length > MAX_DIGITS) return undefined;
  return `${sign === '-' ? '-' : ''}${text.slice(0, -SCALE)}.${text.slice(-SCALE)}`;
}

/**
 * Converts small numbers, which JavaScript prints with an exponent. Large numbers keep the exponent and are rejected.
 */
function toPlainText(value: unknown): string {
  if (typeof value === 'number') {
    const text = String(value);
    return text.includes('e-') ? value.toFixed(SCALE) : text;
  }
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value.trim() : '';
}

const SCALE = 4;
const MAX_DIGITS = 17;
const MAX_TEXT_LENGTH = 64;
const form = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?$/;
