import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { callApi, downloadFile } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { UsageError } from '../usage-error.ts';

/** An entry of `--map`: the attribute of the columns with this header; null skips them. */
export type MappedColumn = readonly [header: string, attribute: string | null];

export interface ImportRequest {
  readonly entity: string;
  /** Columns whose header is not the attribute. */
  readonly map?: readonly MappedColumn[];
  readonly updateBy?: readonly string[];
  readonly duplicates: string;
  readonly dryRun?: boolean;
  /** The path of the file for rows that are not imported. */
  readonly rejected?: string;
  readonly delimiter: string;
  readonly encoding: string;
  readonly dateFormat: string;
  readonly timeZone: string;
  readonly decimalMark: string;
}

/** The parts of the API's response that are shown. */
interface ImportState {
  readonly status: 'In Process' | 'Complete' | 'Failed';
  readonly reason: string | null;
  readonly rowCount: number;
  readonly processedCount: number;
  readonly importedCount: number;
  readonly updatedCount: number;
  readonly unchangedCount: number;
  readonly skippedCount: number;
  readonly rejectedCount: number;
  readonly rejectedFileId: string | null;
  readonly reasons: readonly { readonly message: string; readonly count: number }[];
}

const POLL_INTERVAL_MS = 500;
/** The header is in this part of the file. */
const HEADER_BYTES = 1024 * 1024;

/**
 * `annals import`: uploads a CSV file, requests its import from the API and shows the progress. Returns 1 if rows were
 * rejected or the import failed.
 */
export async function importFile(
  context: CommandContext,
  path: string,
  request: ImportRequest,
): Promise<number> {
  const { installation, printResult } = context;
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new OperatorError(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  });
  const attributes = toAttributes(headerOf(bytes, request), request.map ?? []);
  const body = { ...toBody(request, attributes), fileName: basename(path) };
  const id = await start(installation, bytes, body);
  const found = await follow(context, id);
  const saved = await saveRejected(installation, found, request.rejected ?? rejectedPathOf(path));
  printResult(
    { id, ...found, ...(saved === undefined ? {} : { rejectedFile: saved }) },
    toLines(id, found, { isDryRun: request.dryRun === true, saved }),
  );
  return found.status === 'Complete' && found.rejectedCount === 0 ? 0 : 1;
}

function headerOf(bytes: Buffer, { delimiter, encoding }: ImportRequest): readonly string[] {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, HEADER_BYTES));
  try {
    const [header = []] = parse(text, {
      bom: true,
      delimiter: delimiter === '\\t' ? '\t' : delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      to: 1,
    });
    return header.map((name) => name.trim());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new OperatorError(
      `The header is not valid CSV (${error.message}). Set --delimiter and --encoding to those of the file.`,
    );
  }
}

/** Returns the attribute of each column. Throws UsageError if a mapped column does not exist. */
export function toAttributes(
  header: readonly string[],
  map: readonly MappedColumn[],
): readonly (string | null)[] {
  for (const [name] of map) {
    if (header.includes(name)) continue;
    throw new UsageError(
      `--map: the file lacks a column '${name}'. Its columns are ${header.join(', ')}.`,
    );
  }
  const mapped = new Map(map);
  return header.map((name) => {
    const attribute = mapped.get(name);
    return attribute === undefined ? name || null : attribute;
  });
}

function toBody(request: ImportRequest, attributes: readonly (string | null)[]) {
  const { updateBy = [] } = request;
  return {
    entityType: request.entity,
    attributeList: attributes,
    action: updateBy.length > 0 ? 'createAndUpdate' : 'create',
    updateBy: updateBy.map((name) => {
      const column = attributes.indexOf(name);
      if (column >= 0) return column;
      throw new UsageError(`--update-by: no column has the attribute ${name}. Use --map.`);
    }),
    duplicates: request.duplicates,
    dryRun: request.dryRun ?? false,
    delimiter: request.delimiter,
    encoding: request.encoding,
    dateFormat: request.dateFormat,
    timezone: request.timeZone,
    decimalMark: request.decimalMark,
    headerRow: true,
    idleMode: true,
  };
}

/** Returns the id of the import, which continues even if this command is interrupted. */
async function start(installation: Installation, bytes: Buffer, body: object): Promise<string> {
  const file = { type: 'text/csv', bytes };
  const upload = { method: 'POST', path: '/Import/file', file } as const;
  const { attachmentId } = (await callApi(installation, upload)) as {
    readonly attachmentId: string;
  };
  const request = { method: 'POST', path: '/Import', body: { ...body, attachmentId } } as const;
  try {
    return ((await callApi(installation, request)) as { readonly id: string }).id;
  } catch (error) {
    if (!(error instanceof OperatorError) || !isAboutColumn(error)) throw error;
    throw new OperatorError(
      `${error.message} --map 'header=attribute' maps a column, and --map 'header=-' skips it.`,
      { cause: error },
    );
  }
}

function isAboutColumn({ message }: Error): boolean {
  return /is not an attribute|columns? (?:is|are) mapped/i.test(message);
}

async function follow(
  { installation, progress }: CommandContext,
  id: string,
): Promise<ImportState> {
  const shown = progress('Importing');
  const path = `/Import/${encodeURIComponent(id)}`;
  try {
    for (;;) {
      const found = (await callApi(installation, { method: 'GET', path })) as ImportState;
      shown.update({ done: found.processedCount, total: found.rowCount });
      if (found.status !== 'In Process') return found;
      await sleep(POLL_INTERVAL_MS);
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const hint = `The import ${id} continues without this command. The console shows it on the page Import.`;
    throw new OperatorError(`${error.message} ${hint}`, { cause: error });
  } finally {
    shown.finish();
  }
}

/** `people.csv` → `people.rejected.csv`. */
function rejectedPathOf(path: string): string {
  return `${path.replace(/\.csv$/i, '')}.rejected.csv`;
}

/** Writes the rows that were not imported to a file. Returns its path; undefined without such rows. */
async function saveRejected(
  installation: Installation,
  { rejectedFileId }: ImportState,
  path: string,
): Promise<string | undefined> {
  if (rejectedFileId === null) return undefined;
  const file = `/Attachment/file/${encodeURIComponent(rejectedFileId)}`;
  const bytes = await downloadFile(installation, file);
  await writeFile(path, bytes).catch((cause: unknown) => {
    const hint = 'Set --rejected to a path that can be written.';
    throw new OperatorError(`${path} cannot be written: ${reasonOf(cause)}. ${hint}`, { cause });
  });
  return path;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toLines(
  id: string,
  found: ImportState,
  { isDryRun, saved }: { readonly isDryRun: boolean; readonly saved: string | undefined },
): readonly string[] {
  const counts = [
    `${found.importedCount} new`,
    `${found.updatedCount} changed`,
    `${found.unchangedCount} unchanged`,
    `${found.skippedCount} skipped`,
    `${found.rejectedCount} rejected`,
  ];
  const what = isDryRun ? 'Dry run' : 'Import';
  return [
    `${what} ${id} of ${counted(found.rowCount, 'row')}: ${counts.join(', ')}.`,
    ...(found.status === 'Failed'
      ? [`It did not complete: ${found.reason ?? 'internal error'}.`]
      : []),
    ...found.reasons.map(({ message, count }) => `${counted(count, 'row')}: ${message}`),
    ...(saved === undefined ? [] : [`Rows that were not imported, with the reasons: ${saved}`]),
  ];
}
