import type { AttributeValue } from '../value/attribute-values.ts';
import type { AttributeKind } from './attribute.ts';
import { isStorableJson } from './types/json/read-json-object.ts';
import { MAX_INT } from './types/number/read-number.ts';
import { isStorableText } from './types/text/read-text.ts';
import { isCalendarDate, toUtc } from './types/time/read-date-time.ts';

/**
 * True if the column of this kind can store the value. Postgres rejects all other values, so an event that contains one
 * could never be projected.
 */
export function isStorable(kind: AttributeKind, value: AttributeValue): boolean {
  return value === null || checks[kind](value);
}

/** Completes "… must be" for values that cannot be stored. */
export const storableForms: Readonly<Record<AttributeKind, string>> = {
  string: 'text without NUL or unpaired surrogates',
  bool: 'true or false',
  int: `an integer between -${MAX_INT} and ${MAX_INT}`,
  float: 'a finite number',
  decimal: 'a number of at most 13 digits before and 4 after the decimal point',
  date: 'a date between 0001-01-01 and 9999-12-31',
  datetime: 'a time between 0001-01-01 00:00:00 and 9999-12-31 23:59:59',
  strings: 'a list of strings without NUL or unpaired surrogates',
  json: 'JSON without NUL or unpaired surrogates',
};

const checks: Readonly<Record<AttributeKind, (value: AttributeValue) => boolean>> = {
  string: isText,
  bool: (value) => typeof value === 'boolean',
  int: (value) =>
    typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_INT,
  float: (value) => Number.isFinite(value),
  decimal: (value) => typeof value === 'string' && decimalForm.test(value),
  date: (value) => typeof value === 'string' && isCalendarDate(value),
  datetime: (value) => typeof value === 'string' && toUtc(value) === value,
  strings: (value) => Array.isArray(value) && value.every(isText),
  json: (value) => isStorableJson(value, MAX_DEPTH),
};

function isText(value: unknown): boolean {
  return typeof value === 'string' && isStorableText(value);
}

const decimalForm = /^-?\d{1,13}(?:\.\d{1,4})?$/;
/** Deeper than any valid input, because Annals wraps some inputs. Postgres supports thousands of levels. */
const MAX_DEPTH = 64;
