import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Options, stringify } from 'csv-stringify/sync';
import type { Row } from '../../../shared/search/run-statement.ts';

/** Texts with any kind of line break are quoted, not only texts with the record delimiter. */
const format = { record_delimiter: 'windows', quoted_match: /[\r\n]/ };
/**
 * The maximum number of characters that are quoted in one turn of the event loop. This takes about 10 ms, during which
 * the process serves no other request. A hundred rows of sixty columns take about as long.
 */
const TURN_LENGTH = 64 * 1024;
const ROWS_OF_TURN = 100;

/** Produces CSV according to RFC 4180 in UTF-8, with a header line, in chunks. */
export async function* toCsv(
  columns: readonly string[],
  slices: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(stringify([columns], format));
  for await (const rows of slices) {
    let lines: (readonly string[])[] = [];
    let length = 0;
    for (const row of rows) {
      const line = columns.map((name) => toCell(row[name]));
      const lineLength = line.reduce((sum, cell) => sum + cell.length, 0);
      if (lines.length === ROWS_OF_TURN || length + lineLength > TURN_LENGTH) {
        yield await inOneTurn(lines);
        [lines, length] = [[], 0];
      }
      if (lineLength > TURN_LENGTH) {
        yield* toLongLine(line);
      } else {
        lines.push(line);
        length += lineLength;
      }
    }
    yield await inOneTurn(lines);
  }
}

async function inOneTurn(
  lines: readonly (readonly string[])[],
  options: Options = format,
): Promise<Buffer> {
  await letOthersRun();
  return Buffer.from(stringify([...lines], options));
}

async function* toLongLine(cells: readonly string[]): AsyncGenerator<Buffer> {
  for (const [index, cell] of cells.entries()) {
    if (index > 0) yield Buffer.from(',');
    if (cell.length > TURN_LENGTH) yield* toLongCell(cell);
    else yield await inOneTurn([[cell]], { ...format, eof: false });
  }
  yield Buffer.from('\r\n');
}

/** Quotes a long cell part by part. */
async function* toLongCell(cell: string): AsyncGenerator<Buffer> {
  yield Buffer.from('"');
  for (let from = 0, end = 0; from < cell.length; from = end) {
    end = endOfPart(cell, from);
    const part = await inOneTurn([[cell.slice(from, end)]], { quoted: true, eof: false });
    yield part.subarray(1, -1);
  }
  yield Buffer.from('"');
}

/** Returns the end of a part. A part never splits a surrogate pair. */
function endOfPart(text: string, from: number): number {
  const end = Math.min(from + TURN_LENGTH, text.length);
  const isHalf = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : end;
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return withoutFormula(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Matches the start of a formula, including full-width signs, and signs after blanks, because some programs drop the
 * blanks. Some programs also treat a tab or line break as the start of the next cell.
 */
const formulaStart = /^(?:[\t\n\v\f\r\u0085\u2028\u2029]|[\s\u200b\ufeff]*[=+\-@＝＋－＠])/;
const number = /^ *[+-][\d .,()/-]*$/;

/**
 * Prefixes texts that look like formulas, because spreadsheets would run them, and any user may have written them.
 * Numbers and phone numbers are not formulas.
 */
function withoutFormula(text: string): string {
  return formulaStart.test(text) && !number.test(text) ? `'${text}` : text;
}
