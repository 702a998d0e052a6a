import { createTestDatabase } from '../../support/harness/test-database.ts';
import type { BenchContext } from '../bench.ts';
import { startProgram } from '../start-program.ts';

export interface OutboxServerRequest {
  readonly databaseUrl: string;
  readonly poolSize: number;
}

/** The fastest of the pool sizes 8, 16, 24 and 32 with 64 clients in this bench. */
const POOL_SIZE = 24;

/** Starts Fastify and pg, on a separate database in the run's Postgres. */
export async function startOutboxServer(
  context: BenchContext,
): Promise<{ readonly url: string; readonly databaseUrl: string; readonly pid: number }> {
  const { databaseUrl } = await context.infrastructure();
  const database = await createTestDatabase(databaseUrl);
  context.opened(database.drop);
  const server = startProgram<OutboxServerRequest, string>(context, 'outbox-server.ts');
  const url = await server.send({ databaseUrl: database.url, poolSize: POOL_SIZE });
  return { url, databaseUrl: database.url, pid: server.pid };
}
