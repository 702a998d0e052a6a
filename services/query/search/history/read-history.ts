import type { RecordEvent } from '../../../../shared/domain/record/record-event.ts';
import type { Direction } from '../list/list-request.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { readVersion } from '../rows/read-version.ts';
import type { RecordQuery } from '../rows/require-readable.ts';
import { type HistoryEntry, toHistoryEntry } from './history-entry.ts';
import { isToldByHistory, makerOf } from './past-values.ts';
import { readEvents, type Versions } from './read-events.ts';

interface HistoryRequest {
  readonly offset: number;
  readonly maxSize: number;
  /** `desc`: the newest version first. */
  readonly direction: Direction;
}

interface History {
  readonly total: number;
  readonly list: readonly HistoryEntry[];
}

export type ReadHistory = (query: RecordQuery, request: HistoryRequest) => Promise<History>;

/** The history of a record, for users who may read it now, with the attributes that a read shows except secrets. */
export function createReadHistory(deps: SearchDeps): ReadHistory {
  const { directory } = deps;

  return async (query, request) => {
    const { actor, model, view } = query;
    const total = await readVersion(deps, query);
    const events = await readEvents(deps, query, versionsOf(request, total));
    const context = {
      shown(name: string) {
        const attribute = model.attribute.get(name);
        if (attribute === undefined || !view.isTold(attribute)) return undefined;
        return isToldByHistory(attribute, directory.entity) ? attribute : undefined;
      },
      madeBy: (event: RecordEvent) => makerOf(event, { actor, model }),
      userName: (id: string) => directory.record('User', id)?.values['name'] ?? null,
    };
    const list = events.map((event) => toHistoryEntry(event, context));
    return { total, list: request.direction === 'asc' ? list : list.toReversed() };
  };
}

/** Versions run from 1 to the present one without gaps, so a page is a range of versions. */
function versionsOf({ offset, maxSize, direction }: HistoryRequest, latest: number): Versions {
  if (direction === 'asc') {
    return { first: offset + 1, last: Math.min(offset + maxSize, latest) };
  }
  const last = latest - offset;
  return { first: Math.max(last - maxSize + 1, 1), last };
}
