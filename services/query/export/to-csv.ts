import { setImmediate as letOthersRun } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Row } from '../../../shared/search/run-statement.ts';

/** Texts with any line break are quoted, not only with the one that ends a row. */
const format = { record_delimiter: 'windows', quoted_match: /[\r\n]/ };
/** This many rows of sixty columns take some 10 ms, during which the process serves nobody else. */
const ROWS_AT_ONCE = 100;

/** RFC 4180 in UTF-8, with a header line. */
export async function toCsv(columns: readonly string[], rows: readonly Row[]): Promise<Buffer> {
  const parts = [stringify([columns], format)];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const lines = some.map((row) => columns.map((name) => toCell(row[name])));
    parts.push(stringify(lines, format));
    await letOthersRun();
  }
  return Buffer.from(parts.join(''));
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return disarmed(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** In any width, and behind blanks, which some programs leave out. A tab or line break leads some into the next cell. */
const formulaStart = /^(?:[\t\n\v\f\r\u0085\u2028\u2029]|[\s\u200b\ufeff]*[=+\-@＝＋－＠])/;
const number = /^ *[+-][\d .,()/-]*$/;

/**
 * A spreadsheet would run a text that looks like a formula, and anybody may have written it into a record. Numbers and
 * phone numbers are no formulas.
 */
function disarmed(text: string): string {
  return formulaStart.test(text) && !number.test(text) ? `'${text}` : text;
}
