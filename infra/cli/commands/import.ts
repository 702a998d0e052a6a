import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';
import { UsageError } from '../usage-error.ts';

export interface ImportRequest {
  readonly entity: string;
  /** An attribute per column of the file; `-` skips the column. By default the header names the attributes. */
  readonly columns?: readonly string[];
  readonly updateBy?: readonly string[];
  readonly duplicates: string;
  readonly dryRun?: boolean;
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
  readonly skippedCount: number;
  readonly rejectedCount: number;
  readonly reasons: readonly { readonly message: string; readonly count: number }[];
}

const POLL_INTERVAL_MS = 500;
/** The header is in this part of the file. */
const HEADER_BYTES = 1024 * 1024;
const SKIPPED = '-';

/**
 * `annals import`: uploads a CSV file, requests its import from the API and shows the progress. The import continues if
 * the command is interrupted. Returns 1 if rows were rejected or the import failed.
 */
export async function importFile(
  context: CommandContext,
  path: string,
  request: ImportRequest,
): Promise<number> {
  const { installation, printResult } = context;
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new OperatorError(`${path} cannot be read.`, { cause });
  });
  const options = toBody(request, request.columns ?? headerOf(bytes, request));
  const { attachmentId } = (await callApi(installation, {
    method: 'POST',
    path: '/Import/file',
    file: { type: 'text/csv', bytes },
  })) as { readonly attachmentId: string };
  const body = {
    ...options,
    attachmentId,
    fileName: basename(path),
    headerRow: true,
    idleMode: true,
  };
  const { id } = (await callApi(installation, { method: 'POST', path: '/Import', body })) as {
    readonly id: string;
  };
  const found = await follow(context, `/Import/${encodeURIComponent(id)}`);
  printResult({ id, ...found }, toLines(id, found, request));
  return found.status === 'Complete' && found.rejectedCount === 0 ? 0 : 1;
}

function headerOf(bytes: Buffer, { delimiter, encoding }: ImportRequest): readonly string[] {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, HEADER_BYTES));
  try {
    const [header] = parse(text, {
      bom: true,
      delimiter: delimiter === '\\t' ? '\t' : delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      to: 1,
    });
    return header ?? [];
  } catch (error) {
    if (error instanceof CsvError)
      throw new OperatorError(`The header is not valid CSV: ${error.message}.`);
    throw error;
  }
}

function toBody(request: ImportRequest, attributes: readonly string[]) {
  const { entity, updateBy = [], duplicates, dryRun = false, timeZone, ...format } = request;
  const { columns: _, ...others } = format;
  return {
    ...others,
    entityType: entity,
    attributeList: attributes.map((name) => (name === SKIPPED || name === '' ? null : name)),
    action: updateBy.length > 0 ? 'createAndUpdate' : 'create',
    updateBy: updateBy.map((name) => {
      const column = attributes.indexOf(name);
      if (column < 0) throw new UsageError(`--update-by: no column is for ${name}.`);
      return column;
    }),
    duplicates,
    dryRun,
    timezone: timeZone,
  };
}

async function follow(
  { installation, progress }: CommandContext,
  path: string,
): Promise<ImportState> {
  const shown = progress('Importing');
  for (;;) {
    const found = (await callApi(installation, { method: 'GET', path })) as ImportState;
    shown.update({ done: found.processedCount, total: found.rowCount });
    if (found.status !== 'In Process') {
      shown.finish();
      return found;
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

function toLines(id: string, found: ImportState, { dryRun }: ImportRequest): readonly string[] {
  const { status, reason, importedCount, updatedCount, skippedCount, rejectedCount } = found;
  const failure =
    status === 'Failed' ? ` It ended early: ${reason ?? 'for an unknown reason'}.` : '';
  const counts = `${importedCount} new, ${updatedCount} changed, ${skippedCount} skipped, ${rejectedCount} rejected`;
  return [
    `${dryRun === true ? 'Dry run' : 'Import'} ${id} of ${counted(found.rowCount, 'row')}: ${counts}.${failure}`,
    ...found.reasons.map(({ message, count }) => `${counted(count, 'row')}: ${message}`),
  ];
}
