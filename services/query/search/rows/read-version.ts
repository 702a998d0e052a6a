import type { SearchDeps } from './finish-rows.ts';
import { type RecordQuery, readRow } from './require-readable.ts';

/** The present version of a record, which is the number of its events. Refuses just as a read of the record does. */
export async function readVersion(deps: SearchDeps, query: RecordQuery): Promise<number> {
  const { version } = await readRow(deps, query, 'r.version');
  return Number(version);
}
