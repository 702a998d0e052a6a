import { Refusal } from '../errors.ts';
import { printable } from '../printable.ts';

/** Parses JSON from a client. Throws a Refusal for numbers that would lose digits, and a SyntaxError for invalid JSON. */
export function parseJson(text: string): unknown {
  // The reviver visits every value, so use it only for texts that may need it.
  if (!hasLongNumber.test(text)) return JSON.parse(text);
  const parents = new Map<unknown, readonly [holder: unknown, key: string]>();
  const lost: { readonly source: string; readonly holder: unknown; readonly key: string }[] = [];
  const value = parseWithSource(text, function collect(key, one, { source = '' }) {
    if (typeof one === 'number' && losesDigits(source)) lost.push({ source, holder: this, key });
    else if (typeof one === 'object' && one !== null) parents.set(one, [this, key]);
    return one;
  });
  const [first] = lost;
  if (first === undefined) return value;
  const path = [first.key];
  let parent = parents.get(first.holder);
  while (parent !== undefined) {
    path.unshift(parent[1]);
    parent = parents.get(parent[0]);
  }
  const message = describeLoss(first.source, path.filter((key) => key !== '').join('.'));
  throw new Refusal('invalid', 'body.number_digits', message);
}

export function describeLoss(source: string, name: string): string {
  const place = name === '' ? '' : ` in '${printable(name)}'`;
  return `The number ${printable(source)}${place} has more digits than a JSON number can hold. Send it as a string.`;
}

/**
 * True if converting the text to a JavaScript number changes its digits. Fractions of up to 17 digits are accepted, because
 * clients print rounded numbers with that many digits.
 */
export function losesDigits(source: string): boolean {
  const number = Number(source);
  if (!Number.isFinite(number)) return true;
  const given = toDecimal(source);
  const isInteger = Math.abs(number) > Number.MAX_SAFE_INTEGER;
  return (isInteger || given.digits.length > 17) && !isSame(given, toDecimal(String(number)));
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.power === other.power;
}

interface Decimal {
  /** The digits without leading and trailing zeros. */
  readonly digits: string;
  /** The power of ten of the first digit. */
  readonly power: number;
}

function toDecimal(source: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = decimalForm.exec(source.trim()) ?? [];
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, '').length;
  const digits = all.replace(/^0+|0+$/g, '');
  return { digits, power: digits === '' ? 0 : whole.length - leading + Number(exponent) };
}

const decimalForm = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
/** Matches the start of a number whose digits or exponent may exceed the range of JavaScript. */
const hasLongNumber = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*e\+?\d\d)/i;

type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;

/** TypeScript's types do not include the source of a value yet. */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;
