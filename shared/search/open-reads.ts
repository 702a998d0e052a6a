import type { ClientBase } from 'pg';
import type { DatabaseSettings } from '../config/database-url.ts';
import type { SearchSettings } from '../config/search-settings.ts';
import { sqlStateOf } from '../db/outage-of.ts';
import { createPool, measurePool, type Queryable } from '../db/pool.ts';
import { loadPositions } from '../db/positions.ts';
import { type ReplicaWatch, watchReplica } from '../db/replica-watch.ts';
import { Refusal, Unavailable } from '../domain/errors.ts';
import { readServed, requireReplica } from '../installation/require-replica.ts';
import { createFresh } from '../runtime/share-answers.ts';
import { closeLast, type Opening, openSearchPool, type SearchPool } from './open-search-pool.ts';

/** The connections for reading records, lists, histories and streams. */
export interface Reads {
  readonly pool: Queryable;
  readonly searchPool: SearchPool;
}

interface ReadsDeps extends Opening {
  readonly config: Pick<DatabaseSettings, 'readUrl'> & { readonly search: SearchSettings };
  readonly primary: Reads;
  readonly applicationName: string;
  readonly poolSize: number;
}

/**
 * Reads by id that take longer on a replica fall back to the primary, because the replica's machine may have failed
 * silently.
 */
const ANSWER_WITHIN_MS = 2_000;
/** Added to the search time limit that the replica enforces itself. */
const CANCELLED_WITHIN_MS = 1_000;
/** SQLSTATE: a prepared statement's table has changed. `runStatement` retries it. */
const CHANGED_RESULT = '0A000';

/** Reads from the replica while it is available and up to date, otherwise from the primary. */
export function openReads({ config, primary, ...deps }: ReadsDeps): Reads {
  const { readUrl, search } = config;
  const { lifecycle, metrics, log, applicationName, poolSize } = deps;
  const reads = { replica: 0, primary: 0 };
  metrics.read('annals_database_reads_total', () =>
    // Without a replica, no reads need to be counted.
    readUrl === undefined
      ? []
      : Object.entries(reads).map(([from, value]) => ({ labels: { from }, value })),
  );
  if (readUrl === undefined) return primary;
  const pinned = pinConnections(() => watch.doubt());
  const searchPool = openSearchPool({ databaseUrl: readUrl, search }, deps, {
    name: 'replica-searches',
    answerTimeoutMs: search.timeoutMs + CANCELLED_WITHIN_MS,
    onConnect: pinned.follow,
  });
  const common = { url: readUrl, applicationName, answerTimeoutMs: ANSWER_WITHIN_MS };
  const pool = createPool({ ...common, poolSize, onConnect: pinned.follow });
  const probing = createPool({ ...common, poolSize: 1, onConnect: pinned.lead });
  for (const each of [pool, probing]) closeLast(each, 'replica of the database', deps);
  measurePool(metrics, 'replica', () => pool);
  const watch = watchReplica({
    check: async () => requireReplica(await readServed(probing), await readServed(primary.pool)),
    load: () => loadPositions(probing),
    known: createFresh(async () => loadPositions(primary.pool)),
    log,
  });
  lifecycle.opened('replica', watch.close);
  const route = createRoute(watch, reads);
  return {
    pool: route(pool, primary.pool),
    searchPool: {
      prepare: primary.searchPool.prepare,
      of: (user) => route(searchPool.of(user), primary.searchPool.of(user)),
    },
  };
}

/** Routes statements and counts them per server. Statements that fail on the replica are retried on the primary. */
function createRoute(watch: ReplicaWatch, reads: { replica: number; primary: number }) {
  return (replica: Queryable, primary: Queryable): Queryable => ({
    async query(statement) {
      if (await watch.isCurrent()) {
        try {
          const found = await replica.query<never>(statement);
          reads.replica += 1;
          return found;
        } catch (error) {
          if (isOfStatement(error)) throw error;
          watch.leave(error);
        }
      }
      reads.primary += 1;
      return primary.query(statement);
    },
  });
}

/** True for errors caused by the statement: the primary would fail the same way. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Refusal || sqlStateOf(error) === CHANGED_RESULT;

/**
 * An address may resolve to several servers, or to a different server later. The replica check covers only one of them,
 * so connections set up with `follow` are valid only while they reach the same server as the connection set up with
 * `lead`.
 */
function pinConnections(onLead: () => void) {
  let server: string | undefined;
  return {
    async lead(client: ClientBase): Promise<void> {
      server = await readStart(client);
      onLead();
    },
    async follow(client: ClientBase): Promise<void> {
      const own = await readStart(client);
      const { query } = client;
      Object.assign(client, {
        query: (...statement: readonly unknown[]) => {
          if (own === server) return Reflect.apply(query, client, statement);
          throw new Unavailable('DATABASE_READ_URL resolves to several servers', {
            remedy: 'set it to the address of a single replica (it may differ between processes)',
          });
        },
      });
    },
  };
}

/** Returns the server's start time, which identifies it: it differs between servers, and after a restart. */
async function readStart(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ start: string }>(
    'select pg_postmaster_start_time()::text as start',
  );
  return rows[0]?.start;
}
