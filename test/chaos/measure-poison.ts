import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.ts';
import type { StartedProduct } from '../support/harness/product.ts';
import { type ChaosCluster, services } from './chaos-cluster.ts';
import type { Fault } from './fault.ts';
import type { Fleet } from './fleet.ts';
import { measureWaits, type Waits } from './measure-waits.ts';
import { makePoison, type PoisonDraw, type PoisonOutcome } from './poison.ts';

/** A poison, with the waiting times of all other requests after it. */
export interface MadePoison extends PoisonOutcome {
  readonly fault: Fault;
  /** True if nothing else disturbed the product, so that the poison must have caused the waits. */
  readonly isUndisturbed: boolean;
  readonly reads: Waits;
  readonly writes: Waits;
}

interface MeasureDeps {
  readonly cluster: ChaosCluster;
  readonly fleet: Fleet;
  readonly admin: ApiClient;
}

/** Requests of other clients are measured this long after a poison, before the next fault. */
const MEASURED_MS = 3_000;

/**
 * Adds a poison, if possible at a time without other disturbances, and measures all other requests after it.
 */
export async function measurePoison(
  { cluster, fleet, admin }: MeasureDeps,
  number: number,
  draw: PoisonDraw,
): Promise<MadePoison> {
  const isUndisturbed = await waitUntilUndisturbed(cluster.product, fleet);
  const at = Date.now();
  const outcome = await makePoison({ admin, number, isUndisturbed }, draw);
  await sleep(Math.max(0, at + MEASURED_MS - Date.now()));
  const during = { from: at, until: at + MEASURED_MS };
  const what = `poison ${draw.name}${draw.isLater ? ', later' : ''} → ${outcome.says}`;
  return {
    ...outcome,
    isUndisturbed,
    fault: { what, at, ms: MEASURED_MS },
    reads: measureWaits(fleet, 'read', during),
    writes: measureWaits(fleet, 'write', during),
  };
}

const UNDISTURBED_WITHIN_MS = 15_000;
const CALM_FOR_MS = 1_500;
const UNDISTURBED_WAIT_MS = 800;

/** Returns false if a process is not ready or a request waits for too long. */
async function waitUntilUndisturbed(product: StartedProduct, fleet: Fleet): Promise<boolean> {
  const until = Date.now() + UNDISTURBED_WITHIN_MS;
  let undisturbedSince: number | undefined;
  while (Date.now() < until) {
    const isUndisturbed = longestWait(fleet) < UNDISTURBED_WAIT_MS && (await areReady(product));
    undisturbedSince = isUndisturbed ? (undisturbedSince ?? Date.now()) : undefined;
    if (undisturbedSince !== undefined && Date.now() - undisturbedSince > CALM_FOR_MS) return true;
    await sleep(100);
  }
  return false;
}

function longestWait({ waiting }: Fleet): number {
  const oldest = Math.min(...[...waiting.values()].map(({ since }) => since));
  return waiting.size === 0 ? 0 : Date.now() - oldest;
}

async function areReady(product: StartedProduct): Promise<boolean> {
  const answers = services.map((name) =>
    fetch(`${product.internalUrl(name)}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return (await Promise.all(answers)).every(Boolean);
}
