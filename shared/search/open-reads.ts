import type { DatabaseSettings } from '../config/database-url.ts';
import type { SearchSettings } from '../config/search-settings.ts';
import { measurePool } from '../db/measure-pool.ts';
import { sqlStateOf } from '../db/outage-of.ts';
import { createPool, type Queryable } from '../db/pool.ts';
import { loadPositions } from '../db/positions.ts';
import type { ProjectionWatch } from '../db/projection-watch.ts';
import { type ReplicaWatch, watchReplica } from '../db/replica-watch.ts';
import { Refusal } from '../domain/errors.ts';
import { readServed, requireReplica } from '../installation/judge-replica.ts';
import { closeLast, type Opening, openSearchPool, type SearchPool } from './open-search-pool.ts';
import { pinConnections } from './pin-connections.ts';

/** Where records, lists, histories and streams are read. */
export interface Reads {
  readonly pool: Queryable;
  readonly searchPool: SearchPool;
}

interface ReadsDeps extends Opening {
  readonly config: Pick<DatabaseSettings, 'readUrl'> & { readonly search: SearchSettings };
  readonly primary: Reads;
  readonly projection: Pick<ProjectionWatch, 'known'>;
  readonly applicationName: string;
  readonly poolSize: number;
}

/** A read by id that takes longer on a replica goes to the primary: its machine may be gone without a word. */
const ANSWER_WITHIN_MS = 2_000;
/** Beyond the time limit that the replica itself knows for searches. */
const CANCELLED_WITHIN_MS = 1_000;
/** A statement was prepared before its table changed: `runStatement` sends it anew. */
const CHANGED_RESULT = '0A000';

/** Reads from the replica as long as it is there and shows what the primary shows, else from the primary. */
export function openReads({ config, primary, ...deps }: ReadsDeps): Reads {
  const { readUrl, search } = config;
  const { lifecycle, metrics, log, applicationName, poolSize, projection } = deps;
  const answered = { replica: 0, primary: 0 };
  metrics.read('annals_database_reads_total', () =>
    // Without a replica nothing is counted.
    readUrl === undefined
      ? []
      : Object.entries(answered).map(([from, value]) => ({ labels: { from }, value })),
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
  const asking = createPool({ ...common, poolSize: 1, onConnect: pinned.lead });
  for (const each of [pool, asking]) closeLast(each, 'replica of the database', deps);
  measurePool(metrics, 'replica', () => pool);
  const watch = watchReplica({
    check: async () => requireReplica(await readServed(asking), await readServed(primary.pool)),
    load: () => loadPositions(asking),
    projection,
    log,
  });
  lifecycle.opened('replica', watch.close);
  const route = createRoute(watch, answered);
  return {
    pool: route(pool, primary.pool),
    searchPool: {
      prepare: primary.searchPool.prepare,
      of: (user) => route(searchPool.of(user), primary.searchPool.of(user)),
    },
  };
}

/** Counts where statements are answered. One that the replica fails is asked of the primary, which alone tells a bug. */
function createRoute(
  watch: Pick<ReplicaWatch, 'isCurrent' | 'leave'>,
  answered: { replica: number; primary: number },
) {
  return (replica: Queryable, primary: Queryable): Queryable => ({
    async query(statement) {
      if (await watch.isCurrent()) {
        try {
          const found = await replica.query<never>(statement);
          answered.replica += 1;
          return found;
        } catch (error) {
          if (isOfStatement(error)) throw error;
          watch.leave(error);
        }
      }
      answered.primary += 1;
      return primary.query(statement);
    },
  });
}

/** No server would answer otherwise. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Refusal || sqlStateOf(error) === CHANGED_RESULT;
