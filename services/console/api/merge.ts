import { api, bodyOf } from './client.ts';
import type { AnyRecord } from './records.ts';

/** With the target; the other ones are deleted. */
export const mostMerged = 51;

/** Puts the sources into the target, which gets the attributes, and answers it. */
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
