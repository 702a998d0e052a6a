import { createTestDatabase } from '../../support/test-database.ts';
import type { BenchContext } from '../bench.ts';
import { startProgram } from '../start-program.ts';

export interface OutboxServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface OutboxServerQuestion {
  readonly databaseUrl: string;
  readonly poolSize: number;
}

/** Of 8, 16, 24 and 32 the fastest here at 64 clients. */
const POOL_SIZE = 24;

/** Fastify and pg, on a database of its own in the run's Postgres. */
export async function startOutboxServer(context: BenchContext): Promise<OutboxServer> {
  const { databaseUrl } = await context.infrastructure();
  const database = await createTestDatabase(databaseUrl);
  const server = startProgram('outbox-server.ts');
  const question: OutboxServerQuestion = { databaseUrl: database.url, poolSize: POOL_SIZE };
  const url = await server.ask<string>(question);
  return {
    url,
    async stop() {
      await server.stop();
      await database.drop();
    },
  };
}
