import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import { searchedChannel } from '../../../shared/db/read-model-names.ts';
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

/** Tables appear with entity definitions and rebuilds, in any process. Nothing waits for these indexes. */
const LOOK_EVERY_MS = 15_000;

/**
 * Until they are merged, pending entries are searched one by one: 6 ms of a search for 16,000 records. The more are
 * merged at once the less each costs; compared with merging every second, a third less is written to Postgres's WAL.
 */
const SORT_EVERY_MS = 4_000;

export interface TextIndexes {
  /** Called when records of these entity types have changed. */
  touched(entityTypes: Iterable<string>): void;
  close(): Promise<void>;
}

/**
 * Builds missing indexes while the projector runs, at once when a type is searched for the first time, and merges the
 * entries that its writes leave pending, on connections of its own. An index that is unfinished at the end is built
 * anew by the next process.
 */
export function keepTextIndexes(deps: TextIndexDeps): TextIndexes {
  const { follower, log } = deps;
  const unsorted = new Set<string>();
  /** Entity types that an api announced, or that have an index. A rebuild starts without indexes. */
  const searched = new Set<string>();
  let client: Client | undefined;
  let sorter: Client | undefined;
  const { pause, wake } = createPauses();
  let closed = false;

  function stop(): void {
    closed = true;
    wake();
  }

  async function look(): Promise<void> {
    // With an outdated directory, indexes of entity types that it does not know would be dropped.
    await follower.catchUp();
    client = await deps.connect();
    try {
      if (closed) return;
      const indexed = await buildTextIndexes(client, follower.directory.entities(), searched);
      for (const entityType of indexed ?? []) searched.add(entityType);
      if (indexed !== undefined) return;
      log.warn('Postgres has no pg_trgm: searches in the middle of a text are slow');
      stop();
    } finally {
      await client.end().catch(() => undefined);
      client = undefined;
    }
  }

  /** An announcement that nobody hears is repeated by the api: see COUNT_EVERY_MS there. */
  async function listen(): Promise<Client> {
    const opened = await deps.connect();
    opened.on('notification', ({ payload = '' }) => {
      if (searched.has(payload)) return;
      searched.add(payload);
      wake();
    });
    opened.once('end', () => {
      if (sorter === opened) sorter = undefined;
    });
    await opened.query(`listen ${searchedChannel}`);
    if (closed) await opened.end();
    return opened;
  }

  async function sort(): Promise<void> {
    const models = follower.directory.entities().filter(({ name }) => unsorted.delete(name));
    try {
      sorter ??= await listen();
      if (models.length > 0) await sortTextIndexes(sorter, models);
    } catch (error) {
      await sorter?.end().catch(() => undefined);
      sorter = undefined;
      throw error;
    }
  }

  function note(err: unknown): void {
    if (closed) return;
    if (!(err instanceof Unavailable) && outageOf(err) === undefined) deps.onBug(err);
    log.info({ err }, 'indexes for searches not kept now');
  }

  async function repeat(work: () => Promise<void>, everyMs: number): Promise<void> {
    while (!closed) {
      await work().catch(note);
      if (!closed) await pause(everyMs);
    }
  }

  void repeat(look, LOOK_EVERY_MS);
  void repeat(sort, SORT_EVERY_MS);
  return {
    touched(entityTypes) {
      for (const entityType of entityTypes) unsorted.add(entityType);
    },
    async close() {
      stop();
      // Ends a running statement. A directory that cannot be read is not waited for.
      await Promise.all([client, sorter].map((one) => one?.end().catch(() => undefined)));
    },
  };
}

/** Pauses that can all be ended early. */
function createPauses() {
  let waking = new AbortController();
  return {
    async pause(ms: number): Promise<void> {
      await sleep(ms, undefined, { signal: waking.signal }).catch(() => undefined);
    },
    wake(): void {
      const sleeping = waking;
      waking = new AbortController();
      sleeping.abort();
    },
  };
}
