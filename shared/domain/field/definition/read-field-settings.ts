import { Refusal } from '../../errors.ts';
import type { FieldType } from '../field-type.ts';

const MAX_OPTIONS = 1_000;
const MAX_TOOLTIP_LENGTH = 1_000;
const MAX_PAD_LENGTH = 100;
/** Far below the largest number supported (999,999,999 after a prefix). */
const MAX_NEXT_NUMBER = 100_000_000;

/** Reads the field settings in a body one by one. Does not check whether the field's type uses them. */
export function readFieldSettings(
  body: Readonly<Record<string, unknown>>,
  { optionsName }: FieldType,
): Readonly<Record<string, unknown>> {
  const isRenamed = optionsName !== undefined && Object.hasOwn(body, optionsName);
  return Object.fromEntries(
    Object.entries(settings).flatMap(([setting, read]) => {
      const name = isRenamed && setting === 'options' ? optionsName : setting;
      const value = body[name];
      if (value === null && setting === 'default') return [[setting, null] as const];
      return value === undefined || value === null ? [] : [[setting, read(value, name)] as const];
    }),
  );
}

const settings: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  label: readShortText,
  tooltip: readTooltip,
  audited: readFlag,
  required: readFlag,
  readOnly: readFlag,
  readOnlyAfterCreate: readFlag,
  maxLength: readCount,
  maxCount: readCount,
  maxItemLength: readCount,
  padLength: readPadLength,
  prefix: readShortText,
  nextNumber: readNextNumber,
  min: readNumber,
  max: readNumber,
  pattern: readPattern,
  options: readOptions,
  allowCustomOptions: readFlag,
  default: readDefault,
  maxFileSize: readCount,
  accept: readAccept,
};

/** Reads a label or a similarly short text. */
export function readShortText(value: unknown, name: string, maxLength = 250): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw badField(`'${name}' must be text with at most ${maxLength} characters.`);
}

function readTooltip(value: unknown, name: string): boolean | string {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && value.length <= MAX_TOOLTIP_LENGTH) return value;
  throw badField(
    `'${name}' must be true, false, or text with at most ${MAX_TOOLTIP_LENGTH} characters.`,
  );
}

function readNextNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_NEXT_NUMBER)
    return value;
  throw badField(`'${name}' must be a positive integer of at most ${MAX_NEXT_NUMBER}.`);
}

function readPadLength(value: unknown, name: string): number {
  const length = readCount(value, name);
  if (length <= MAX_PAD_LENGTH) return length;
  throw badField(`'${name}' must be at most ${MAX_PAD_LENGTH}.`);
}

function readFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw badField(`'${name}' must be true or false.`);
}

function readCount(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 1_000_000)
    return value;
  throw badField(`'${name}' must be a positive integer.`);
}

function readNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw badField(`'${name}' must be a number.`);
}

function readPattern(value: unknown): string {
  try {
    return new RegExp(readShortText(value, 'pattern'), 'u').source;
  } catch {
    throw badField("'pattern' is not a valid regular expression.");
  }
}

function readOptions(value: unknown, name: string): readonly string[] {
  const isList =
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 100);
  if (isList && value.length <= MAX_OPTIONS && new Set(value).size === value.length) return value;
  throw badField(`'${name}' must be a list of unique strings.`);
}

/** A media type, a wildcard media type (`image/*`), or a file name extension. */
const acceptPattern = /^(?:[\w.+-]+\/(?:[\w.+-]+|\*)|\.[\w-]+)$/;

function readAccept(value: unknown): readonly string[] {
  const isList =
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((one) => typeof one === 'string' && one.length <= 100 && acceptPattern.test(one));
  if (isList) return value;
  throw badField("'accept' must be a list of media types or file name extensions.");
}

function readDefault(value: unknown): unknown {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  throw badField("'default' must be a string, a number, true, false, or a list of strings.");
}

export function badField(message: string): Refusal {
  return new Refusal('invalid', 'field.invalid', message);
}
