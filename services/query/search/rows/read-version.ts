import { liveTable } from '../../../../shared/db/tables/read-model-names.ts';
import { ownParameter, withViewer } from '../../../../shared/search/record-view.ts';
import { runStatement } from '../../../../shared/search/run-statement.ts';
import type { SearchDeps } from './finish-rows.ts';
import {
  type RecordQuery,
  readableRow,
  requireId,
  requireReadableRow,
} from './require-readable.ts';

/** The present version of a record, which is the number of its events. Refuses just as a read of the record does. */
export async function readVersion(
  { pool, prepare }: SearchDeps,
  query: RecordQuery,
): Promise<number> {
  const { model, view, id } = query;
  requireId(id);
  const statement = prepare(
    withViewer(
      view,
      `select r.version, r.deleted, ${readableRow(view, model)} from ${liveTable(model.name)} r` +
        ` where r.id = ${ownParameter(view)}`,
    ),
  );
  const [row] = await runStatement(pool, statement, [...view.viewer, id]);
  return Number(requireReadableRow(query, row)['version']);
}
