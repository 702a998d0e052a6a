/**
 * Global setup for a test runner (vitest, Jest, node:test): starts one Kafka and one Postgres for the whole
 * run, so that `startAnnals` quickly gives every test file its own Annals.
 */
import { hostVariable } from './host-variable.ts';
import { type StartedHost, startHost } from './start-host.ts';

/** Instances kept ready, so that a test file does not have to wait after the previous one has taken an instance. */
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
