/**
 * For the global setup of a test runner (vitest, Jest, node:test): one Kafka and one Postgres for the whole run, so that
 * `startAnnals` gives every test file an Annals of its own at once.
 */
import { hostVariable } from './host-variable.ts';
import { type StartedHost, startHost } from './start-host.ts';

/** Kept ready, so that a test file need not wait while the one before it has taken one. */
const SPARES = 2;

let host: StartedHost | undefined;

/** Test files run in processes that inherit the environment. */
export async function setup(): Promise<void> {
  host = await startHost(SPARES);
  process.env[hostVariable] = JSON.stringify(host.address);
}

export async function teardown(): Promise<void> {
  delete process.env[hostVariable];
  await host?.stop();
}

export { setup as globalSetup, teardown as globalTeardown };
