import { stringify } from 'csv-stringify/sync';
import type { Row } from '../../../shared/search/run-statement.ts';

/** Any line break is quoted, not only the one that ends a record. */
const format = { record_delimiter: 'windows', quoted_match: /[\r\n]/ };

/** RFC 4180 in UTF-8, with a line of names first. */
export function toCsv(columns: readonly string[], rows: readonly Row[]): Buffer {
  const lines = rows.map((row) => columns.map((name) => toCell(row[name])));
  return Buffer.from(stringify([columns, ...lines], format));
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return disarmed(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A program that opens the file as a table would run what looks like a formula, which anybody may have written into a
 * record. Numbers and phone numbers are none.
 */
function disarmed(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-][\d .,()/-]*$/.test(text) ? `'${text}` : text;
}
