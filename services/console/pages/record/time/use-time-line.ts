import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type History, historyQuery, type Version } from '../../../api/history.ts';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { valuesAt } from './versions.ts';

/** A version of a record that others have replaced. */
export interface PastVersion {
  /** An API time. */
  readonly at: string;
  readonly record: AnyRecord;
}

export interface TimeLineState {
  readonly query: UseQueryResult<History>;
  /** The version that the page shows; undefined while the history is loading. */
  readonly version: number | undefined;
  /** True while the history with the requested version is loading. */
  readonly isPending: boolean;
  /** Undefined if the page shows the current version. */
  readonly past: PastVersion | undefined;
}

/** Returns the selected version of a record. The history is loaded only if the page needs it. */
export function useTimeLine(
  entity: Entity,
  id: string,
  selected: { readonly version: number | undefined; readonly isOpen: boolean },
): TimeLineState {
  const query = useQuery({ ...historyQuery(entity.name, id), enabled: selected.isOpen });
  if (query.data === undefined) {
    return {
      query,
      version: undefined,
      isPending: selected.version !== undefined,
      past: undefined,
    };
  }
  const { versions, total } = query.data;
  const last = versions.at(-1)?.version ?? 1;
  const version = Math.min(Math.max(selected.version ?? last, 1), last);
  const entry = versions.find((one) => one.version === version);
  if (selected.version === undefined || version === total || entry === undefined) {
    return { query, version, isPending: false, past: undefined };
  }
  const record = { ...valuesAt(versions, version), ...authorsOf(versions[0], entry), id };
  return { query, version, isPending: false, past: { at: entry.at, record } };
}

/** Returns the times and users of the creation and of the latest change, which the history does not list as changes. */
function authorsOf(created: Version | undefined, latest: Version) {
  const modified = { modifiedById: latest.byId, modifiedByName: latest.byName };
  return {
    createdAt: created?.at,
    createdById: created?.byId,
    createdByName: created?.byName,
    modifiedAt: latest.at,
    ...(latest.version > 1 ? modified : {}),
  };
}
