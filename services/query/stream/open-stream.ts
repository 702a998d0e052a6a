import { requireStreamScope } from '../../../shared/domain/access/stream-access.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { type RecordQuery, readRow } from '../rows/require-readable.ts';

/**
 * Returns `columns`, SQL over `r`, of a record whose stream the actor may see. Throws the refusals of a read of the
 * record, and a 403 if the actor may read the record but not its stream.
 */
export async function openStream(
  deps: SearchDeps,
  query: RecordQuery,
  columns: string,
): Promise<Row> {
  const { actor, model, view } = query;
  requireStreamScope(actor, model);
  const isOpen = view.stream(model, 'r') ?? 'true';
  const row = await readRow(deps, query, `${columns}, ${isOpen} as "$stream"`);
  if (row['$stream'] === true) return row;
  throw new Refusal('forbidden', 'access.denied', "No 'stream' access.");
}
