import { Refusal } from '../errors.ts';
import { printable } from '../printable.ts';

/**
 * Parses JSON that a client sent. Throws a Refusal for a number whose digits JavaScript cannot keep, and a SyntaxError for
 * invalid JSON.
 */
export function parseJson(text: string): unknown {
  // The reviver visits every value, which few texts need.
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
  return `The number ${printable(source)}${place} has more digits than a JSON number keeps: send it as a text.`;
}

/**
 * Whether the number that JavaScript makes of a text has other digits. Up to 17 of them may be the rounding of a fraction
 * that a client printed.
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
  /** Without zeros at either end. */
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
/** The beginning of a number whose digits, or whose exponent, may exceed those of JavaScript. */
const hasLongNumber = /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*e\+?\d\d)/i;

type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;

/** TypeScript does not know the source of a value yet. */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;
