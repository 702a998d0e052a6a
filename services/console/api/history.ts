import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

export type Version = components['schemas']['historyEntry'];

export interface History {
  /** Oldest first; at most `maxVersions`. */
  readonly versions: readonly Version[];
  /** Number of all versions, including versions that were not loaded. */
  readonly total: number;
}

const pageSize = 200;

const maxVersions = 2_000;

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
