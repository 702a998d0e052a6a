import { api, bodyOf } from './client.ts';
import type { AnyRecord } from './records.ts';

/** Maximum number of records in a merge, including the target. */
export const maxMergedRecords = 51;

/** Merges the sources into the target, sets the attributes, and returns the target. */
export async function mergeRecords(
  entity: string,
  merge: {
    readonly targetId: string;
    readonly sourceIds: readonly string[];
    readonly attributes: Readonly<Record<string, unknown>>;
  },
): Promise<AnyRecord> {
  const params = { path: { entity } };
  return bodyOf(
    api.POST('/{entity}/action/merge', { params, body: merge as never }),
  ) as Promise<AnyRecord>;
}
