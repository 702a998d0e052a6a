import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { KafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import { makeMixedBuild } from './harness/later-build.ts';
import { type PostgresVariant, startPostgresVariant } from './harness/start-postgres-variant.ts';
import {
  makeTestDirectory,
  startTestInfrastructure,
  type TestInfrastructure,
} from './harness/test-infrastructure.ts';

const sources = join(import.meta.dirname, '..', '..');

declare module 'vitest' {
  export interface ProvidedContext {
    /** The share of the seeds of property tests that run, from 0 to 1. */
    readonly seedShare: number;
    /** Whether tests of the Helm chart may compile programs, which takes minutes. */
    readonly compilesPrograms: boolean;
    readonly kafka: KafkaAccess;
    /** Its user may create databases; see `createTestDatabase`. */
    readonly databaseUrl: string;
    /** A pooler or replica of that Postgres for products, if there is one. */
    readonly postgresVariant: PostgresVariant['urls'];
    /** The default sources that products are started from. */
    readonly productRoot: string;
  }
}

interface Started extends TestInfrastructure {
  readonly postgresVariant: PostgresVariant['urls'];
  readonly productRoot: string;
}

interface Shared {
  infrastructure: Promise<Started>;
  users: number;
}

// Each project loads this file again, but in one process: the broker is started only once.
const sharedName = Symbol.for('annals.test.infrastructure');
const place = globalThis as typeof globalThis & { [sharedName]?: Shared };

/** Returns the infrastructure of the test run. Callable only after `setup`. */
export async function sharedInfrastructure(): Promise<TestInfrastructure> {
  const shared = place[sharedName];
  if (shared === undefined) throw new Error('The infrastructure of the tests is not started.');
  return shared.infrastructure;
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  place[sharedName] ??= { infrastructure: startAll(), users: 0 };
  const shared = place[sharedName];
  shared.users += 1;
  const { kafka, databaseUrl, postgresVariant, productRoot, stop } = await shared.infrastructure;
  project.provide('kafka', kafka);
  project.provide('databaseUrl', databaseUrl);
  project.provide('postgresVariant', postgresVariant);
  project.provide('productRoot', productRoot);

  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete place[sharedName];
    await stop();
  };
}

async function startAll(): Promise<Started> {
  const infrastructure = await startTestInfrastructure(process.env);
  const postgresVariant = await startPostgresVariant(process.env, infrastructure.databaseUrl);
  const place = makeTestDirectory();
  return {
    ...infrastructure,
    postgresVariant: postgresVariant.urls,
    productRoot: chooseProductRoot(process.env, place),
    async stop() {
      await postgresVariant.stop();
      await infrastructure.stop();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** With `ANNALS_TEST_VERSIONS=mixed`, all products run in the middle of an upgrade. */
function chooseProductRoot(env: NodeJS.ProcessEnv, place: string): string {
  const kind = env['ANNALS_TEST_VERSIONS'] ?? '';
  if (kind === '') return sources;
  if (kind === 'mixed') return makeMixedBuild(place);
  throw new Error(`ANNALS_TEST_VERSIONS must be mixed, got '${kind}'`);
}
