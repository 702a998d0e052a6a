import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { LocalClock } from '../../../shared/domain/value/date-time.ts';

/** A column of a spreadsheet. */
export interface SheetColumn {
  readonly name: string;
  readonly label: string;
  readonly kind: Attribute['kind'];
}

/** Indexes of the formats in stylesXml. */
const STYLES = { header: 1, day: 2, time: 3 } as const;
/** Spreadsheets keep 15 digits of a number. */
const MAX_DIGITS = 15;
/** Longer texts make a file invalid. */
const MAX_CELL_LENGTH = 32_767;

/** Returns the header row, which stays in view. */
export function headerXml(columns: readonly SheetColumn[]): string {
  const cells = columns.map(({ label }, index) =>
    textXml(`${letters(index)}1`, label, STYLES.header),
  );
  return `<row r="1">${cells.join('')}</row>`;
}

/** Returns a row. `number` is that of the sheet, in which the header has number 1. Times are shown by the clock. */
export function rowXml(
  number: number,
  values: readonly unknown[],
  { columns, clock }: { readonly columns: readonly SheetColumn[]; readonly clock: LocalClock },
): string {
  const cells = values.map((value, index) => {
    if (value === null || value === undefined || value === '') return '';
    const place = `${letters(index)}${number}`;
    return cellXml(place, value, { kind: columns[index]?.kind ?? 'string', clock });
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

function cellXml(
  place: string,
  value: unknown,
  { kind, clock }: { readonly kind: Attribute['kind']; readonly clock: LocalClock },
): string {
  switch (typeof value) {
    case 'boolean':
      return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`;
    case 'number':
      return isExact(value) ? numberXml(place, value) : textXml(place, String(value));
    case 'string':
      return kind === 'decimal'
        ? decimalXml(place, value)
        : timeOrTextXml(place, value, kind, clock);
    default:
      return textXml(place, listText(value) ?? JSON.stringify(value));
  }
}

function isExact(value: number): boolean {
  return Math.abs(value) < 10 ** MAX_DIGITS;
}

function decimalXml(place: string, value: string): string {
  const digits = value.replace(/\.?0*$/, '').replace(/^-?0*|\./g, '').length;
  return digits <= MAX_DIGITS ? numberXml(place, Number(value)) : textXml(place, value);
}

function timeOrTextXml(
  place: string,
  value: string,
  kind: Attribute['kind'],
  clock: LocalClock,
): string {
  const isTime = kind === 'date' || kind === 'datetime';
  const serial = isTime ? serialOf(value, clock) : undefined;
  if (serial === undefined) return textXml(place, value);
  return numberXml(place, serial, kind === 'date' ? STYLES.day : STYLES.time);
}

/** Returns a list of texts as people write it; undefined for other values, and for texts with commas. */
function listText(value: unknown): string | undefined {
  const isPlain =
    Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes(','));
  return isPlain ? value.join(', ') : undefined;
}

const DAY_MS = 86_400_000;
/** Spreadsheets count days from 30 December 1899. They treat 1900 as a leap year, so dates before March 1900 differ. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);

/** Returns the number of days since the epoch of spreadsheets; undefined if they would show another date. */
function serialOf(value: string, clock: LocalClock): number | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?$/.exec(value) ?? [];
  if (day === undefined) return undefined;
  const ms = time === undefined ? Date.parse(day) : clock.toLocal(Date.parse(`${day}T${time}Z`));
  return ms >= FIRST_MS ? (ms - EPOCH_MS) / DAY_MS : undefined;
}

function numberXml(place: string, value: number, style?: number): string {
  return `<c r="${place}"${style === undefined ? '' : ` s="${style}"`}><v>${value}</v></c>`;
}

function textXml(place: string, text: string, style?: number): string {
  const cut = text.length > MAX_CELL_LENGTH ? text.slice(0, MAX_CELL_LENGTH) : text;
  const attributes = `t="inlineStr"${style === undefined ? '' : ` s="${style}"`}`;
  return `<c r="${place}" ${attributes}><is><t xml:space="preserve">${escapeXml(cut)}</t></is></c>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain these characters
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a text, also for attributes. Removes characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(notXml, '')
      // Spreadsheets read `_x0041_` as an escaped character.
      .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
  );
}

/** Returns the letters of a column: A to Z, AA and so on. */
function letters(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : letters(Math.floor(index / 26) - 1) + rest;
}
