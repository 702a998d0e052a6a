import type { PageOf, SortedPage } from '../lists/list-request.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { type RecordQuery, readVersion } from '../rows/require-readable.ts';
import { type HistoryEntry, toHistoryEntry } from './history-entry.ts';
import { eventViewOf } from './past-values.ts';
import { readEvents, type Versions } from './read-events.ts';

/**
 * Returns the history of a record for users who may read it now. It covers the attributes that a read shows, except secrets.
 * `desc` lists the newest version first. A page may have fewer than `maxSize` entries if they are large; the next page starts
 * after the last entry of this one.
 */
export async function readHistory(
  deps: SearchDeps,
  query: RecordQuery,
  page: SortedPage,
): Promise<PageOf<HistoryEntry>> {
  const total = await readVersion(deps, query);
  const from = page.direction === 'asc' ? 'oldest' : 'newest';
  // Large histories compete with searches, not with single reads.
  const shared = { ...deps, pool: deps.searchPool.of(query.actor) };
  const events = await readEvents(shared, query, { ...versionsOf(page, total), from });
  const view = eventViewOf(deps.directory, query);
  const list = events.map((event) => toHistoryEntry(event, view));
  return { total, list: page.direction === 'asc' ? list : list.toReversed() };
}

/** Versions run from 1 to the current one without gaps, so a page is a range of versions. */
function versionsOf({ offset, maxSize, direction }: SortedPage, latest: number): Versions {
  if (direction === 'asc') {
    return { first: offset + 1, last: Math.min(offset + maxSize, latest) };
  }
  const last = latest - offset;
  return { first: Math.max(last - maxSize + 1, 1), last };
}
