import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { counted } from '../../../shared/domain/counted.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Pieces } from '../../../shared/files/file-pieces.ts';
import { type ImportPlan, MAX_COLUMNS } from './import-plan.ts';

export type CsvFormat = Pick<ImportPlan, 'delimiter' | 'quote' | 'encoding' | 'hasHeader'>;

/** The maximum number of rows of a file, not counting the header. */
const MAX_ROWS = 100_000;
/** The maximum size of a row in UTF-8, approximately, as for the body of a request. */
const MAX_ROW_BYTES = 1024 * 1024;
/** The maximum number of rows and of characters in a slice. Short rows make long slices, which are written faster. */
const ROWS_AT_ONCE = 1_000;
const LENGTH_AT_ONCE = 2 * 1024 * 1024;

/** A row of a file. The first one after the header has the index 0. */
export interface CsvRow {
  readonly index: number;
  readonly cells: readonly string[];
}

/**
 * Reads a CSV file as a stream, in slices of rows. Empty lines are skipped. Throws a Refusal for a file with too many
 * rows or columns, a row that is too long, or bytes that the encoding does not allow.
 */
export async function* readCsv(
  pieces: Pieces,
  format: CsvFormat,
): AsyncGenerator<readonly CsvRow[]> {
  const parser = parse({
    bom: true,
    delimiter: format.delimiter,
    quote: format.quote,
    escape: format.quote,
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // An error of the source also ends the iteration below.
  pipeline(Readable.from(decode(pieces, format.encoding)), parser).catch(() => undefined);
  try {
    yield* inSlices(parser, format.hasHeader ? -1 : 0);
  } catch (error) {
    throw error instanceof CsvError ? badFile(sentenceOf(error)) : error;
  } finally {
    parser.destroy();
  }
}

async function* inSlices(
  lines: AsyncIterable<readonly string[]>,
  firstIndex: number,
): AsyncGenerator<readonly CsvRow[]> {
  let index = firstIndex;
  let rows: CsvRow[] = [];
  let length = 0;
  for await (const cells of lines) {
    if (cells.length > MAX_COLUMNS) throw tooManyColumns(index, cells.length);
    if (index >= MAX_ROWS) throw tooManyRows();
    if (index >= 0) rows.push({ index, cells });
    index += 1;
    length += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length < ROWS_AT_ONCE && length < LENGTH_AT_ONCE) continue;
    yield rows;
    [rows, length] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}

async function* decode(pieces: Pieces, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badFile(`The file is not text in the encoding ${encoding}.`);
  }
}

function sentenceOf({ code, lines }: CsvError & { readonly lines?: unknown }): string {
  const line = typeof lines === 'number' ? ` in line ${lines}` : '';
  switch (code) {
    case 'CSV_MAX_RECORD_SIZE':
      return `A row${line} has more than ${MAX_ROW_BYTES} bytes.`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quoted text${line} does not end.`;
    default:
      return `The file is not valid CSV${line}: check the delimiter and the text qualifier.`;
  }
}

function tooManyColumns(index: number, count: number): Refusal {
  const where = index < 0 ? 'The header' : `Row ${index + 1}`;
  return badFile(`${where} has ${counted(count, 'column')}. The limit is ${MAX_COLUMNS}.`);
}

function tooManyRows(): Refusal {
  return badFile(
    `The file has more than ${counted(MAX_ROWS, 'row')}. Split it into several files.`,
  );
}

export function badFile(message: string): Refusal {
  return new Refusal('invalid', 'import.file', message);
}
