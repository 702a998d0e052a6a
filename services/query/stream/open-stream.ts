import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { requireStreamScope } from '../../../shared/domain/access/stream-access.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { ownParameter, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import {
  type RecordQuery,
  readableRow,
  requireId,
  requireReadableRow,
} from '../search/rows/require-readable.ts';

/**
 * The row with `columns`, SQL over `r`, of a record whose stream the actor may see. Refuses just as a read of the
 * record does, and with 403 if only its stream is closed.
 */
export async function openStream(
  { pool, prepare }: SearchDeps,
  query: RecordQuery,
  columns: string,
): Promise<Row> {
  const { actor, model, view, id } = query;
  requireStreamScope(actor, model);
  requireId(id);
  const statement = prepare(
    withViewer(
      view,
      `select ${columns}, r.deleted, ${view.stream(model, 'r') ?? 'true'} as "$stream", ${readableRow(view, model)}` +
        ` from ${liveTable(model.name)} r where r.id = ${ownParameter(view)}`,
    ),
  );
  const [found] = await runStatement(pool, statement, [...view.viewer, id]);
  const row = requireReadableRow(query, found);
  if (row['$stream'] === true) return row;
  throw new Refusal('forbidden', 'access.denied', "No 'stream' access.");
}
