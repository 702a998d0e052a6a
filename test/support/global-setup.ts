import type { TestProject } from 'vitest/node';
import type { KafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import { startTestInfrastructure, type TestInfrastructure } from './harness/test-infrastructure.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Number of random schedules of the writer, from vitest.config.ts. */
    readonly writerSchedules: number;
    readonly kafka: KafkaAccess;
    /** Its user may create databases; see `createTestDatabase`. */
    readonly databaseUrl: string;
  }
}

interface Shared {
  infrastructure: Promise<TestInfrastructure>;
  users: number;
}

// Each project loads this file again, but in one process: the broker is started once for all.
const sharedName = Symbol.for('annals.test.infrastructure');
const place = globalThis as typeof globalThis & { [sharedName]?: Shared };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  place[sharedName] ??= { infrastructure: startTestInfrastructure(process.env), users: 0 };
  const shared = place[sharedName];
  shared.users += 1;
  const { kafka, databaseUrl, stop } = await shared.infrastructure;
  project.provide('kafka', kafka);
  project.provide('databaseUrl', databaseUrl);

  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete place[sharedName];
    await stop();
  };
}
