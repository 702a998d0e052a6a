import type { TestProject } from 'vitest/node';
import type { KafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import { type Between, startBetween } from './harness/start-between.ts';
import { startTestInfrastructure, type TestInfrastructure } from './harness/test-infrastructure.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Number of random schedules of the writer, from vitest.config.ts. */
    readonly writerSchedules: number;
    readonly kafka: KafkaAccess;
    /** Its user may create databases; see `createTestDatabase`. */
    readonly databaseUrl: string;
    /** What products find before or beside that Postgres. */
    readonly between: Between['urls'];
  }
}

interface Shared {
  infrastructure: Promise<TestInfrastructure & { readonly between: Between['urls'] }>;
  users: number;
}

// Each project loads this file again, but in one process: the broker is started once for all.
const sharedName = Symbol.for('annals.test.infrastructure');
const place = globalThis as typeof globalThis & { [sharedName]?: Shared };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  place[sharedName] ??= { infrastructure: startAll(), users: 0 };
  const shared = place[sharedName];
  shared.users += 1;
  const { kafka, databaseUrl, between, stop } = await shared.infrastructure;
  project.provide('kafka', kafka);
  project.provide('databaseUrl', databaseUrl);
  project.provide('between', between);

  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete place[sharedName];
    await stop();
  };
}

async function startAll(): Promise<Awaited<Shared['infrastructure']>> {
  const infrastructure = await startTestInfrastructure(process.env);
  const between = await startBetween(process.env, infrastructure.databaseUrl);
  return {
    ...infrastructure,
    between: between.urls,
    async stop() {
      await between.stop();
      await infrastructure.stop();
    },
  };
}
