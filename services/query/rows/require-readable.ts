import { requireNotQuarantined } from '../../../shared/db/quarantine.ts';
import { liveSchema, liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { mergeTargetIn } from '../../../shared/domain/record/step-key.ts';
import {
  ownParameter,
  type Reader,
  type RecordView,
  withViewer,
} from '../../../shared/search/record-view.ts';
import { type Row, runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';

/** A request for a record. */
export interface RecordQuery extends Reader {
  readonly id: string;
}

/** An internal column that is selected in addition to `deleted`. No attribute begins with `$`. */
export const readableColumn = '$readable';
/** Other ids cannot exist, and might not even be valid text for Postgres. */
const idPattern = /^[A-Za-z0-9_=.-]{1,100}$/;

/**
 * Returns `columns`, which is SQL over `r`, for a record that the actor may read. Throws the same refusals as
 * `requireReadableRow`.
 */
export async function readRow(
  { pool, prepare }: QueryContext,
  query: RecordQuery,
  columns: string,
): Promise<Row> {
  const { model, view, id } = query;
  requireId(id);
  const text =
    `select ${columns}, r.deleted, ${readableRow(view, model)} from ${liveTable(model.name)} r` +
    ` where r.id = ${ownParameter(view)}`;
  const [row] = await runStatement(pool, prepare(withViewer(view, text)), [...view.viewer, id]);
  return requireReadableRow(pool, query, row);
}

/** Returns the current version of a record: the number of its events. Throws the same refusals as a read. */
export async function readVersion(context: QueryContext, query: RecordQuery): Promise<number> {
  const { version } = await readRow(context, query, 'r.version');
  return Number(version);
}

/** Returns SQL that a statement over `r`, a row of the entity's table, has to select for `requireReadableRow`. */
export function readableRow({ rows }: RecordView, model: EntityModel): string {
  return `${rows(model, 'r') ?? 'true'} as "${readableColumn}"`;
}

export function requireId(id: string): void {
  if (!idPattern.test(id)) throw noSuchRecord(id);
}

/**
 * Returns the row, with `deleted` and the column of `readableRow`, if the actor may read its record. Rejects missing
 * and deleted records with 404, unreadable records with 403, and quarantined records (which have no row) with 409. For
 * a deleted record, only users who could read it get a different code than for a missing record.
 */
export async function requireReadableRow(
  pool: QueryContext['pool'],
  { model, view, id }: RecordQuery,
  row: Row | undefined,
): Promise<Row> {
  if (row === undefined) await requireNotQuarantined(pool, { entityType: model.name, id });
  if (row === undefined) throw noSuchRecord(id);
  if (row['deleted'] === true && !view.withDeleted) {
    throw row[readableColumn] === true
      ? await deletedRecord(pool, model.name, id)
      : noSuchRecord(id);
  }
  // Null means that no record contains the file any longer, see attachmentCondition.
  const isReleased = model.definition.isFile === true && row[readableColumn] === null;
  if (isReleased) throw noSuchRecord(id);
  if (row[readableColumn] !== true) {
    throw new Refusal('forbidden', 'access.denied', "No 'read' access.");
  }
  return row;
}

/**
 * Returns the refusal for a deleted record that the actor could read. If its last event is a step of a merge, the
 * refusal names the target of the merge.
 */
async function deletedRecord(
  pool: QueryContext['pool'],
  entityType: string,
  id: string,
): Promise<Refusal> {
  const rows = await runStatement(pool, { text: lastCommand }, [id, entityType]);
  const key = textOrNull(rows[0]?.['command_id']);
  const mergedInto = key === null ? undefined : mergeTargetIn(key.slice(key.indexOf('/') + 1));
  const name = printable(id);
  const { message: statusReason } = noSuchRecord(id);
  if (mergedInto === undefined) {
    const message = `Record ${name} is deleted.`;
    return new Refusal('not_found', 'record.deleted', message, { statusReason });
  }
  const message = `Record ${name} was merged into ${printable(mergedInto)}.`;
  return new Refusal('not_found', 'record.merged', message, { statusReason, mergedInto });
}

const lastCommand = `select command_id from ${liveSchema}.record_history
  where record_id = $1 and entity_type = $2 order by version desc limit 1`;

/** For reads only; writes use another reason (docs/reference/espocrm-compatibility.md#records-that-do-not-exist). */
export function noSuchRecord(id: string): Refusal {
  return new Refusal('not_found', 'record.not_found', `Record ${printable(id)} does not exist.`);
}
