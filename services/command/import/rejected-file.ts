import { stringify } from 'csv-stringify/sync';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { digestPieces, provenPieces } from '../../../shared/files/file-pieces.ts';
import type { BaseContext } from '../context.ts';
import { uploadCommand } from '../files/file-commands.ts';
import { cutText } from './cut-text.ts';
import { openImportFile } from './import-file.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportTally, Rejection } from './import-tally.ts';
import { type CsvFormat, readCsv } from './read-csv.ts';

const skippedRow: Rejection = {
  code: 'record.duplicate',
  message: 'A record with the same name or e-mail address exists.',
  fields: [],
};

const MAX_NAME_LENGTH = 255;

interface RejectedFile {
  readonly actor: Actor;
  readonly plan: ImportPlan;
  readonly tally: Pick<ImportTally, 'rejected' | 'skipped'>;
  readonly commandId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Stores the rows that were not imported, and returns the id of the file; null without any. Idempotent. */
export async function saveRejectedFile(
  context: BaseContext,
  { actor, plan, tally, commandId, deadline }: RejectedFile,
): Promise<string | null> {
  const model = context.directory.entity(attachmentType);
  if (model === undefined || tally.rejected.size + tally.skipped.size === 0) return null;
  const produce = () => toRejectedCsv(readWithHeader(context, plan), plan, tally);
  const digest = await digestPieces(produce());
  const { size, sha256 } = digest;
  await context.putFile({ size, sha256, pieces: provenPieces(produce(), digest) });
  const nowhere = { field: null, relatedType: null, parentType: null };
  const name = cutText(`Rejected_${plan.fileName ?? 'Import.csv'}`, MAX_NAME_LENGTH);
  const role = 'Export File' as const;
  const { state } = await context.sender.send(uploadCommand, {
    ...{ actor, model, commandId, commandHash: commandId, deadline },
    body: { name, type: 'text/csv', role, size, sha256, ...nowhere },
    conditions: {},
    untilReadable: true,
  });
  return state.id;
}

/** Reads the header as a row, too. */
function readWithHeader(context: BaseContext, plan: ImportPlan) {
  const format: CsvFormat = { ...plan, hasHeader: false };
  return readCsv(openImportFile(context, plan), format);
}

const format = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const;
/** Columns after those of the file, so that the corrected file can be imported with the same mapping. */
const addedColumns = ['Row', 'Error', 'Code', 'Fields'];

/** Produces CSV in UTF-8 with a header. Cells are the user's own and stay unchanged. */
export async function* toRejectedCsv(
  slices: ReturnType<typeof readCsv>,
  plan: Pick<ImportPlan, 'hasHeader' | 'attributes'>,
  { rejected, skipped }: RejectedFile['tally'],
): AsyncGenerator<Buffer> {
  const first = plan.hasHeader ? 1 : 0;
  const width = plan.attributes.length;
  const toLine = (cells: readonly string[], added: readonly string[]) => [
    ...Array.from({ length: Math.max(width, cells.length) }, (_, column) => cells[column] ?? ''),
    ...added,
  ];
  if (!plan.hasHeader)
    yield toCsv([
      toLine(
        plan.attributes.map((name) => name ?? ''),
        addedColumns,
      ),
    ]);
  for await (const rows of slices) {
    const lines = rows.flatMap(({ index, cells }) => {
      if (index < first) return [toLine(cells, addedColumns)];
      const row = index - first;
      const reason = rejected.get(row) ?? (skipped.has(row) ? skippedRow : undefined);
      if (reason === undefined) return [];
      const fields = reason.fields.map(({ field, type }) => `${field}:${type}`).join(' ');
      return [toLine(cells, [String(row + 1), reason.message, reason.code, fields])];
    });
    if (lines.length > 0) yield toCsv(lines);
  }
}

function toCsv(lines: readonly (readonly string[])[]): Buffer {
  return Buffer.from(stringify([...lines], format));
}
