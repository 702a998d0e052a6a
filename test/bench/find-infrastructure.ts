import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import type { BenchContext } from './bench.ts';
import type { Infrastructure } from './cost/measure-turns.ts';
import { cpuMsOf, cpuMsOfFamily, parentOf, processesBelow } from './process-usage.ts';

/** Finds the processes of Kafka and Postgres, which run below this process. */
export async function findInfrastructure(context: BenchContext): Promise<Infrastructure> {
  const { databaseUrl } = await context.infrastructure();
  // Backends and workers are children of the process that listens.
  const postgres = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
  const [kafka] = processesBelow(process.pid, 'java');
  if (postgres === undefined || kafka === undefined)
    throw new Error('processor times need Kafka and Postgres as processes of this machine');
  return {
    readProcessorTime: () => ({ kafka: cpuMsOf(kafka), postgres: cpuMsOfFamily(postgres) }),
  };
}
