import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { type ReadRecord, readRecord } from './records.ts';
import type { components } from './schema.d.ts';

export type Version = components['schemas']['historyEntry'];

export interface History {
  /** Oldest first; at most `maxVersions`. */
  readonly versions: readonly Version[];
  /** Total number of versions, including those not loaded. */
  readonly total: number;
}

const pageSize = 200;

const maxVersions = 2_000;

/** Loads the latest version of a record, and at most `maxLatest` changes after the tagged version, newest first. */
export function laterChangesQuery(entity: string, found: ReadRecord) {
  const { id } = found.record;
  return queryOptions({
    queryKey: ['records', entity, 'later', id, found.tag],
    queryFn: async ({ signal }) => {
      const query = { order: 'desc' as const, maxSize: maxLatest };
      const path = { entity, id };
      const [latest, { list }] = await Promise.all([
        readRecord(entity, id, signal),
        bodyOf(api.GET('/{entity}/{id}/history', { params: { path, query }, signal })),
      ]);
      const since = versionOf(found.tag);
      return { latest, changes: list.filter(({ version }) => version > since) };
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

const maxLatest = 20;

/** `"v7"` → 7; 0 for any other tag. */
export function versionOf(tag: string): number {
  return Number(/v(\d+)/.exec(tag)?.[1] ?? 0);
}

/** Loads the versions of a record, beginning with its creation. */
export function historyQuery(entity: string, id: string) {
  return queryOptions({
    queryKey: ['records', entity, 'history', id],
    queryFn: async ({ signal }): Promise<History> => {
      const versions: Version[] = [];
      let total = 0;
      do {
        const query = { order: 'asc' as const, offset: versions.length, maxSize: pageSize };
        const params = { path: { entity, id }, query };
        const page = await bodyOf(api.GET('/{entity}/{id}/history', { params, signal }));
        total = page.total;
        versions.push(...page.list);
        if (page.list.length === 0) break;
      } while (versions.length < Math.min(total, maxVersions));
      return { versions, total };
    },
  });
}
