import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { runStatement } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import type { Import } from './read-imports.ts';

/** A row that was skipped or rejected. */
export interface ImportError {
  readonly id: string;
  readonly importId: string;
  readonly entityType: string;
  readonly type: string;
  /** An error code. */
  readonly code: string;
  readonly message: string;
  /** The row in the imported file, and in the file of rejected rows. 0 is the first line, even if it is the header. */
  readonly rowIndex: number;
  readonly exportRowIndex: number;
  readonly row: readonly string[];
  readonly validationFailures: readonly {
    readonly entityType: string;
    readonly field: string;
    readonly type: string;
  }[];
}

/** The error types that EspoCRM's clients support, by error code. */
const types: Readonly<Record<string, string>> = {
  'access.denied': 'No-Access',
  'import.no_match': 'Not-Found',
  'record.invalid': 'Validation',
};
/** The number of columns that the file of errors adds to those of the imported file. */
const ADDED_COLUMNS = 4;

interface Page {
  readonly offset: number;
  readonly maxSize: number;
}

/** Returns rows that were skipped or rejected, from the file that the import stored. */
export async function readImportErrors(
  context: QueryContext,
  found: Import,
  { offset, maxSize }: Page,
): Promise<{ readonly total: number; readonly list: readonly ImportError[] }> {
  const { errorsFileId, skippedCount, rejectedCount } = found;
  if (errorsFileId === null) return { total: 0, list: [] };
  const list: ImportError[] = [];
  let index = -1;
  for await (const cells of readRows(context, errorsFileId)) {
    if (index >= offset) list.push(toError(found, cells, index));
    index += 1;
    if (index >= offset + maxSize) break;
  }
  return { total: skippedCount + rejectedCount, list };
}

const file = `select sha256, size from ${liveTable('Attachment')} where id = $1`;

/** Yields the rows of the file, with its header. */
async function* readRows(
  { files, primary, prepare }: QueryContext,
  fileId: string,
): AsyncGenerator<readonly string[]> {
  const { pool } = primary;
  const [row] = await runStatement(pool, prepare(file), [fileId]);
  if (row === undefined) return;
  const stored = { sha256: String(row['sha256']), size: Number(row['size']) };
  await files.untilStored(stored);
  const parser = parse({ relax_column_count: true });
  // An error in the source also ends the iteration below.
  pipeline(Readable.from(files.read(stored)), parser).catch(() => undefined);
  try {
    yield* parser as AsyncIterable<readonly string[]>;
  } finally {
    parser.destroy();
  }
}

function toError(found: Import, cells: readonly string[], index: number): ImportError {
  const { id: importId, entityType, params } = found;
  const [row = '', message = '', code = '', fields = ''] = cells.slice(-ADDED_COLUMNS);
  const number = Number(row);
  return {
    id: `${importId}-${number}`,
    importId,
    entityType,
    type: types[code] ?? '',
    code,
    message,
    rowIndex: params['headerRow'] === true ? number : number - 1,
    exportRowIndex: index + 1,
    row: cells.slice(0, -ADDED_COLUMNS),
    validationFailures: fields.split(' ').flatMap((failure) => {
      const [field, type] = failure.split(':');
      return field === undefined || type === undefined ? [] : [{ entityType, field, type }];
    }),
  };
}
