import { startPooler } from './start-pooler.ts';
import { startReplica } from './start-replica.ts';

/** A pooler or replica of the Postgres of a test run. */
export interface PostgresVariant {
  /** URLs of the run's database. */
  readonly urls: { readonly pooler?: string; readonly replica?: string };
  stop(): Promise<void>;
}

/** `ANNALS_TEST_POSTGRES` is `pooler` or `replica` if all products should use one. */
export async function startPostgresVariant(
  env: NodeJS.ProcessEnv,
  databaseUrl: string,
): Promise<PostgresVariant> {
  const kind = env['ANNALS_TEST_POSTGRES'] ?? '';
  if (kind === '') return { urls: {}, stop: async () => undefined };
  if (kind === 'pooler') {
    const keepsNames = env['DATABASE_NAMED_STATEMENTS'] !== 'false';
    const { url, stop } = await startPooler(databaseUrl, { keepsNames });
    return { urls: { pooler: url }, stop };
  }
  if (kind !== 'replica')
    throw new Error(`ANNALS_TEST_POSTGRES must be pooler or replica, got '${kind}'`);
  const replica = await startReplica(databaseUrl);
  return {
    urls: { replica: replica.url },
    async stop() {
      // Otherwise the tests would pass even though all reads used the primary.
      const rows = await replica.query('select status from pg_stat_wal_receiver');
      await replica.stop();
      if (rows[0]?.status !== 'streaming') throw new Error('the replica was lost during the tests');
    },
  };
}
