import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { buildTextIndexes, sortTextIndexes } from './build-text-indexes.ts';

interface TextIndexDeps {
  /** A new connection each time. */
  readonly connect: () => Promise<Client>;
  readonly follower: Pick<DirectoryFollower, 'catchUp' | 'directory'>;
  readonly log: Logger;
  onBug(error: unknown): void;
}

/** Tables come with entity definitions and with rebuilds, by whichever process; nobody waits for these indexes. */
const LOOK_EVERY_MS = 15_000;

/** Until then what is new in an index is searched one by one. */
const SORT_EVERY_MS = 1_000;

export interface TextIndexes {
  /** Records of these entity types have changed. */
  touched(entityTypes: Iterable<string>): void;
  close(): Promise<void>;
}

/**
 * Looks for indexes to build as long as the projector runs, and sorts in what its writes leave to be sorted, beside it
 * and on connections of its own. An index that is not finished when it ends is built anew by the next.
 */
export function keepTextIndexes(deps: TextIndexDeps): TextIndexes {
  const { follower, log } = deps;
  const closing = new AbortController();
  const isClosing = () => closing.signal.aborted;
  const unsorted = new Set<string>();
  let client: Client | undefined;
  let sorter: Client | undefined;

  async function look(): Promise<void> {
    // Indexes of entity types that it does not know would be dropped.
    await follower.catchUp();
    client = await deps.connect();
    try {
      if (isClosing()) return;
      if (await buildTextIndexes(client, follower.directory.entities())) return;
      log.warn('Postgres has no pg_trgm: searches in the middle of a text are slow');
      closing.abort();
    } finally {
      await client.end().catch(() => undefined);
      client = undefined;
    }
  }

  async function sort(): Promise<void> {
    if (unsorted.size === 0) return;
    const models = follower.directory.entities().filter(({ name }) => unsorted.delete(name));
    try {
      sorter ??= await deps.connect();
      await sortTextIndexes(sorter, models);
    } catch (error) {
      await sorter?.end().catch(() => undefined);
      sorter = undefined;
      throw error;
    }
  }

  function note(err: unknown): void {
    if (isClosing()) return;
    if (!(err instanceof Unavailable) && outageOf(err) === undefined) deps.onBug(err);
    log.info({ err }, 'indexes for searches not kept now');
  }

  async function repeat(work: () => Promise<void>, everyMs: number): Promise<void> {
    while (!isClosing()) {
      await work().catch(note);
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  void repeat(look, LOOK_EVERY_MS);
  void repeat(sort, SORT_EVERY_MS);
  return {
    touched(entityTypes) {
      for (const entityType of entityTypes) unsorted.add(entityType);
    },
    async close() {
      closing.abort();
      // In the middle of a statement it is cut off; for a directory that cannot be read nobody waits.
      await Promise.all([client, sorter].map((one) => one?.end().catch(() => undefined)));
    },
  };
}
