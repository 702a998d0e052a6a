import {
  type AttributeRule,
  type Fault,
  invalid,
  type Kept,
  type Report,
  refuse,
} from '../../attribute-rule.ts';

export interface NumberRule extends AttributeRule {
  readonly min: number;
  readonly max: number;
}

/** Reads an integer: accepts `12`, `"12"` and `12.0`, rejects `12.5` instead of truncating it. */
export function readInt(rule: NumberRule, value: unknown, report: Report): Kept<number> {
  if (value === null || value === '') return null;
  const number = toNumber(value, integerForm);
  if (number === undefined || !Number.isInteger(number)) {
    return refuse(rule, invalid('integer', 'must be an integer'), report);
  }
  if (Math.abs(number) > MAX_INT) {
    return refuse(rule, beyondInt, report);
  }
  return keepInRange(rule, number, report);
}

export function readFloat(rule: NumberRule, value: unknown, report: Report): Kept<number> {
  if (value === null || value === '') return null;
  const number = toNumber(value, decimalForm);
  return number === undefined
    ? refuse(rule, invalid('number', 'must be a number'), report)
    : keepInRange(rule, number, report);
}

/**
 * Reads an amount of money. Beyond 13 digits a double would lose the cents, and no price has more than nine decimal
 * places.
 */
export function readAmount(rule: NumberRule, value: unknown, report: Report): Kept<number> {
  const amount = readFloat(rule, value, report);
  if (typeof amount !== 'number') return amount;
  return isAmount(amount)
    ? amount
    : refuse(rule, { ...beyondAmounts, requirement: amountRange }, report);
}

/** The requirement for amounts, to be preceded by the attribute's name. */
export const amountRange =
  'must be between -9999999999999 and 9999999999999, and either 0 or at least 0.000000001 in absolute value';

export function isAmount(amount: number): boolean {
  const size = Math.abs(amount);
  return size === 0 || (size >= LEAST_AMOUNT && size <= MAX_AMOUNT);
}

export function keepInRange(rule: NumberRule, number: number, report: Report): number | undefined {
  const { min, max } = rule;
  if (number < min) {
    const requirement = `must be at least ${min}`;
    return refuse(rule, { type: 'min', requirement, parameters: { min } }, report);
  }
  if (number > max) {
    const requirement = `must be at most ${max}`;
    return refuse(rule, { type: 'max', requirement, parameters: { max } }, report);
  }
  return number === 0 ? 0 : number;
}

function toNumber(value: unknown, form: RegExp): number | undefined {
  const number = typeof value === 'string' ? parseNumber(value, form) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function parseNumber(text: string, form: RegExp): number | undefined {
  const trimmed = text.length > MAX_NUMBER_LENGTH ? '' : text.trim();
  return form.test(trimmed) ? Number(trimmed) : undefined;
}

const integerForm = /^[+-]?\d+$/;
const decimalForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const MAX_NUMBER_LENGTH = 64;
/** The maximum of a Postgres `integer`. The minimum is excluded, so that every number can be negated. */
export const MAX_INT = 2_147_483_647;
const MAX_AMOUNT = 9_999_999_999_999;
const LEAST_AMOUNT = 0.000_000_001;

const beyondInt: Fault = {
  type: 'rangeInternal',
  requirement: `must be between -${MAX_INT} and ${MAX_INT}`,
  parameters: { min: -MAX_INT, max: MAX_INT },
};
/** The problem reported for an amount that is too large or too close to 0. */
export const beyondAmounts: Omit<Fault, 'requirement'> = {
  type: 'inPermittedRange',
  parameters: { min: -MAX_AMOUNT, max: MAX_AMOUNT },
};
