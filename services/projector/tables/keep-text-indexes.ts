import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { outageOf } from '../../../shared/db/outage-of.ts';
import { searchedChannel } from '../../../shared/db/tables/read-model-names.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { BaseContext } from '../context.ts';
import { buildTextIndexes, sortTextIndexes } from './build-text-indexes.ts';

/**
 * Any process may add tables through definitions or rebuilds, but nothing waits for these indexes, so polling is
 * sufficient.
 */
const LOOK_EVERY_MS = 15_000;

/**
 * Until they are merged, a search scans pending entries one by one, which takes 6 ms for 16,000 records. The more
 * entries are merged together, the cheaper each is: this interval writes a third less to Postgres's WAL than a merge
 * every second.
 */
const SORT_EVERY_MS = 4_000;

/**
 * While the projector runs, builds missing indexes (immediately if a type is searched for the first time), and merges
 * the pending entries that writes leave. Uses separate connections. If a build is unfinished when the process ends, the
 * next process repeats it.
 */
export function keepTextIndexes({ connect, crash, follower, log }: BaseContext) {
  const unsorted = new Set<string>();
  /** Entity types that an api has announced, or that had an index before, because a rebuild starts without indexes. */
  const searched = new Set<string>();
  let isLackReported = false;
  let client: Client | undefined;
  let sorter: Client | undefined;
  const rounds = createRounds((err) => {
    if (!(err instanceof Unavailable) && outageOf(err) === undefined) crash(err);
    log.info({ err }, 'cannot maintain text indexes; retrying');
  });

  async function look(): Promise<void> {
    // An outdated directory lacks new entity types, whose indexes would be dropped.
    await follower.catchUp();
    client = await connect();
    try {
      if (rounds.isStopped()) return;
      const indexed = await buildTextIndexes(client, follower.directory.entities(), searched);
      for (const entityType of indexed ?? []) searched.add(entityType);
      if (indexed !== undefined || isLackReported) return;
      isLackReported = true;
      log.warn('Postgres lacks pg_trgm: searches in the middle of texts are slow');
    } finally {
      await client.end().catch(() => undefined);
      client = undefined;
    }
  }

  async function listen(): Promise<Client> {
    const opened = await connect();
    // The api repeats announcements, because an announcement that no projector receives is lost (see COUNT_EVERY_MS
    // there).
    opened.on('notification', ({ payload: entityType = '' }) => {
      if (searched.has(entityType)) return;
      searched.add(entityType);
      rounds.wake();
    });
    await opened.query(`listen ${searchedChannel}`);
    opened.once('end', () => {
      if (sorter === opened) sorter = undefined;
    });
    if (rounds.isStopped()) await opened.end();
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

  void rounds.repeat(look, LOOK_EVERY_MS);
  void rounds.repeat(sort, SORT_EVERY_MS);
  return {
    /** Called when records of these entity types have changed. */
    touched(entityTypes: Iterable<string>): void {
      for (const entityType of entityTypes) unsorted.add(entityType);
    },
    async close(): Promise<void> {
      rounds.stop();
      // Ends running statements. Does not wait for the directory, which may be unreachable.
      await Promise.all([client, sorter].map((one) => one?.end().catch(() => undefined)));
    },
  };
}

/** Repeats work with pauses. `wake` ends all current pauses. */
function createRounds(onError: (err: unknown) => void) {
  let waking = new AbortController();
  let isStopped = false;

  function wake(): void {
    const sleeping = waking;
    waking = new AbortController();
    sleeping.abort();
  }

  return {
    isStopped: () => isStopped,
    wake,
    stop(): void {
      isStopped = true;
      wake();
    },
    async repeat(work: () => Promise<void>, everyMs: number): Promise<void> {
      while (!isStopped) {
        await work().catch((err: unknown) => isStopped || onError(err));
        const { signal } = waking;
        if (!isStopped) await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
