import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { ImportResult } from '../../../shared/domain/import/import-result.ts';
import { timeOfRecordId } from '../../../shared/domain/record/record-id-time.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';

/** An import as clients read it. */
export interface Import {
  readonly id: string;
  readonly entityType: string;
  readonly status: 'In Process' | 'Complete' | 'Failed';
  /** An error code. */
  readonly reason: string | null;
  readonly fileId: string;
  readonly fileName: string | null;
  readonly dryRun: boolean;
  readonly attributeList: readonly (string | null)[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly rowCount: number;
  readonly processedCount: number;
  readonly importedCount: number;
  readonly updatedCount: number;
  readonly unchangedCount: number;
  readonly duplicateCount: number;
  readonly skippedCount: number;
  readonly rejectedCount: number;
  readonly reasons: ImportResult['reasons'];
  readonly rejectedFileId: string | null;
  readonly errorsFileId: string | null;
  readonly undoneById: string | null;
  readonly createdAt: string;
  readonly createdById: string;
  readonly createdByName: string | null;
}

const massActions = liveTable('MassAction');
/** Ids that cannot exist might not even be valid text for Postgres. */
const idPattern = /^[A-Za-z0-9_=.-]{1,100}$/;

const columns = `m.id, m.entity_type, m.status, m.reason, m.data, m.processed_count, m.result, m.created_by_id,
  (select max(u.id) from ${massActions} u where u.action = 'revert' and not u.deleted
     and u.created_at >= m.created_at and u.data::jsonb ->> 'changeId' = 'MassAction/' || m.id) as undone_by_id`;
const ownImports = `m.action = 'import' and not m.deleted and ($1::text is null or m.created_by_id = $1)`;

const page = `select ${columns} from ${massActions} m where ${ownImports}
  order by m.created_at desc, m.id desc limit $2 offset $3`;
const total = `select count(*)::float8 as total from ${massActions} m where ${ownImports}`;
const single = `select ${columns} from ${massActions} m where ${ownImports} and m.id = $2`;

/** Returns the actor's imports, or all imports for an administrator, newest first. */
export async function readImports(
  context: QueryContext,
  actor: Actor,
  { offset, maxSize }: { readonly offset: number; readonly maxSize: number },
): Promise<{ readonly total: number; readonly list: readonly Import[] }> {
  const { pool, prepare } = context;
  const [rows, [counted]] = await Promise.all([
    runStatement(pool, prepare(page), [ownerOf(actor), maxSize, offset]),
    runStatement(pool, prepare(total), [ownerOf(actor)]),
  ]);
  return { total: Number(counted?.['total']), list: rows.map((row) => toImport(context, row)) };
}

/** Returns an import. Only administrators can read other users' imports. */
export async function readImport(context: QueryContext, actor: Actor, id: string): Promise<Import> {
  const { pool, prepare } = context;
  const [row] = idPattern.test(id)
    ? await runStatement(pool, prepare(single), [ownerOf(actor), id])
    : [];
  if (row !== undefined) return toImport(context, row);
  throw new Refusal('not_found', 'import.not_found', 'This import does not exist.');
}

function ownerOf({ id, type }: Actor): string | null {
  return type === 'admin' ? null : id;
}

function toImport({ directory }: QueryContext, row: Row): Import {
  const id = String(row['id']);
  const {
    fileId,
    fileName,
    attributes,
    isDryRun,
    rowCount,
    size: _,
    sha256: __,
    ...params
  } = toPlan(row);
  const result: Partial<ImportResult> = JSON.parse(textOrNull(row['result']) ?? '{}');
  const createdById = String(row['created_by_id']);
  const isRunning = row['status'] === 'Running';
  const {
    created = 0,
    updated = 0,
    unchanged = 0,
    duplicates = 0,
    skipped = 0,
    rejected = 0,
  } = result;
  return {
    id,
    entityType: String(row['entity_type']),
    status: isRunning ? 'In Process' : row['status'] === 'Success' ? 'Complete' : 'Failed',
    reason: reasonOf(row),
    fileId: String(fileId),
    fileName: textOrNull(fileName),
    dryRun: isDryRun === true,
    attributeList: Array.isArray(attributes) ? attributes : [],
    params: toParams(params),
    rowCount: Number(rowCount),
    processedCount: isRunning
      ? Number(row['processed_count'])
      : created + updated + unchanged + skipped + rejected,
    importedCount: created,
    updatedCount: updated,
    unchangedCount: unchanged,
    duplicateCount: duplicates,
    skippedCount: skipped,
    rejectedCount: rejected,
    reasons: result.reasons ?? [],
    rejectedFileId: result.rejectedFileId ?? null,
    errorsFileId: result.errorsFileId ?? result.rejectedFileId ?? null,
    undoneById: textOrNull(row['undone_by_id']),
    createdAt: formatDateTime(timeOfRecordId(id)),
    createdById,
    createdByName: namesIn(directory)('User', createdById) ?? null,
  };
}

function toPlan(row: Row): Readonly<Record<string, unknown>> {
  return toObject(JSON.parse(String(row['data'])));
}

function reasonOf({ status, reason }: Row): string | null {
  return textOrNull(reason) ?? (status === 'Cancelled' ? 'cancelled' : null);
}

/** Returns the options of the request under the names that clients sent. */
function toParams({ hasHeader, quote, timeZone, ...plan }: Readonly<Record<string, unknown>>) {
  return { ...plan, headerRow: hasHeader, textQualifier: quote, timezone: timeZone };
}
