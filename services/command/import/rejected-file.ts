import { stringify } from 'csv-stringify/sync';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import {
  type LabelLanguage,
  toLabelLanguage,
} from '../../../shared/domain/entity/labels/labels.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { digestPieces, provenPieces } from '../../../shared/files/file-pieces.ts';
import type { BaseContext } from '../context.ts';
import { uploadCommand } from '../files/file-commands.ts';
import { cutText } from './cut-text.ts';
import { openImportFile } from './import-file.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportTally, RejectedFiles, Rejection } from './import-tally.ts';
import { type CsvFormat, readCsv } from './read-csv.ts';
import { addedColumns, toReason } from './rejection-text.ts';

const skippedRow: Rejection = {
  code: 'record.duplicate',
  message: 'A record with the same name or e-mail address exists.',
  fields: [],
  problems: [],
};

const MAX_NAME_LENGTH = 255;

interface RejectedRowsOfImport {
  readonly actor: Actor;
  /** The type of the imported records. */
  readonly model: EntityModel;
  readonly plan: ImportPlan;
  readonly tally: Pick<ImportTally, 'rejected' | 'skipped'>;
  readonly commandId: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Stores the rows that were not imported with reasons for people, and with error codes for the API. Idempotent. */
export async function saveRejectedFiles(
  context: BaseContext,
  rejected: RejectedRowsOfImport,
): Promise<RejectedFiles> {
  const { actor, model, plan, tally } = rejected;
  if (tally.rejected.size + tally.skipped.size === 0) {
    return { rejectedFileId: null, errorsFileId: null };
  }
  const preferences = context.directory.record(preferencesType, actor.id);
  const language = toLabelLanguage(String(preferenceOf(preferences, 'language'))) ?? 'en';
  const delimiter = delimiterOf(plan, preferences);
  const forPeople = { ...plan, delimiter, ...withReasons(model, language) };
  const [rejectedFileId, errorsFileId] = await Promise.all([
    saveFile(context, rejected, { name: 'Rejected', layout: forPeople }),
    saveFile(context, rejected, { name: 'Errors', layout: { ...plan, ...withCodes } }),
  ]);
  return { rejectedFileId, errorsFileId };
}

async function saveFile(
  context: BaseContext,
  { actor, plan, tally, commandId: importCommandId, deadline }: RejectedRowsOfImport,
  { name: prefix, layout }: { readonly name: string; readonly layout: FileLayout },
): Promise<string | null> {
  const model = context.directory.entity(attachmentType);
  if (model === undefined) return null;
  const produce = () => toRejectedCsv(readWithHeader(context, plan), layout, tally);
  const digest = await digestPieces(produce());
  const { size, sha256 } = digest;
  await context.putFile({ size, sha256, pieces: provenPieces(produce(), digest) });
  const nowhere = { field: null, relatedType: null, parentType: null };
  const source = (plan.fileName ?? 'Import.csv').replace(sheet, '.csv');
  const name = cutText(`${prefix}_${source}`, MAX_NAME_LENGTH);
  const role = 'Export File' as const;
  const commandId = `${importCommandId}${prefix}`;
  const { state } = await context.sender.send(uploadCommand, {
    ...{ actor, model, commandId, commandHash: commandId, deadline },
    body: { name, type: 'text/csv', role, size, sha256, ...nowhere },
    conditions: {},
    untilReadable: true,
  });
  return state.id;
}

/** Clients convert the sheets of a workbook to CSV, and keep the name of the workbook. */
const sheet = /[.]xlsx$/i;

/** Returns the delimiter of the source; for a workbook, the one that the user prefers for exports. */
function delimiterOf(
  { fileName, delimiter, quote }: ImportPlan,
  preferences: RecordState | undefined,
): string {
  if (fileName === null || !sheet.test(fileName)) return delimiter;
  const preferred = preferenceOf(preferences, 'exportDelimiter');
  return typeof preferred === 'string' && preferred !== '' && preferred !== quote
    ? preferred
    : delimiter;
}

/** Reads the header as a row, too. */
function readWithHeader(context: BaseContext, plan: ImportPlan) {
  const format: CsvFormat = { ...plan, hasHeader: false };
  return readCsv(openImportFile(context, plan), format);
}

const format = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const;

interface FileLayout extends Pick<ImportPlan, 'attributes' | 'delimiter' | 'hasHeader' | 'quote'> {
  /** The columns after those of the source: the number of the row, and the others. */
  readonly added: readonly string[];
  readonly describe: (reason: Rejection) => readonly string[];
}

/** Columns with a sentence in the language of the user. */
export function withReasons(
  model: EntityModel,
  language: LabelLanguage,
): Pick<FileLayout, 'added' | 'describe'> {
  return {
    added: addedColumns(language),
    describe: (reason) => [toReason(reason, { model, language })],
  };
}

/** Columns that services/query/import reads. */
export const withCodes = {
  added: ['Row', 'Error', 'Code', 'Fields'],
  describe: ({ message, code, fields }) => [
    message,
    code,
    fields.map(({ field, type }) => `${field}:${type}`).join(' '),
  ],
  delimiter: ',',
  quote: '"',
} as const satisfies Partial<FileLayout>;

/**
 * Produces CSV in UTF-8 with a header. Cells are the user's own and stay unchanged. The added columns come after them,
 * so that the corrected file can be imported with the same mapping.
 */
export async function* toRejectedCsv(
  slices: ReturnType<typeof readCsv>,
  layout: FileLayout,
  { rejected, skipped }: RejectedRowsOfImport['tally'],
): AsyncGenerator<Buffer> {
  const first = layout.hasHeader ? 1 : 0;
  const width = layout.attributes.length;
  const toCsv = (lines: readonly (readonly string[])[]): Buffer => {
    const { delimiter, quote } = layout;
    return Buffer.from(stringify([...lines], { ...format, delimiter, quote, escape: quote }));
  };
  const toLine = (cells: readonly string[], last: readonly string[]) => [
    ...Array.from({ length: Math.max(width, cells.length) }, (_, column) => cells[column] ?? ''),
    ...last,
  ];
  if (!layout.hasHeader) {
    const header = layout.attributes.map((name) => name ?? '');
    yield toCsv([toLine(header, layout.added)]);
  }
  for await (const rows of slices) {
    const lines = rows.flatMap(({ index, cells }) => {
      if (index < first) return [toLine(cells, layout.added)];
      const row = index - first;
      const reason = rejected.get(row) ?? (skipped.has(row) ? skippedRow : undefined);
      if (reason === undefined) return [];
      return [toLine(cells, [String(row + 1), ...layout.describe(reason)])];
    });
    if (lines.length > 0) yield toCsv(lines);
  }
}
