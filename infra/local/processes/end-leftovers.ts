import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryOr } from '../try-or.ts';
import { findHolders } from './file-lock.ts';
import { parentOf, sendSignal } from './process-identity.ts';

/** A program that a killed run left running, with all of its processes. */
interface Leftover {
  readonly name: string;
  /** A process belongs to the program if it has one of these files open. */
  readonly paths: readonly string[];
}

const STOP_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 50;
/** Stopped after the services that use them. */
const stoppedLast = ['kafka', 'postgres'];

/**
 * Ends all processes that a killed run left behind, which are the ones that have one of its lock files open. Returns
 * the names of the ended processes. Never touches an unrelated process that has reused a pid.
 */
export async function endLeftovers(dataDir: string): Promise<readonly string[]> {
  const leftovers = listLeftovers(dataDir).filter(({ paths }) => holdersOf(paths).length > 0);
  for (const leftover of leftovers) await end(leftover);
  return leftovers.map(({ name }) => name);
}

function listLeftovers(dataDir: string): readonly Leftover[] {
  const lockDirectory = join(dataDir, 'run');
  const names = new Set([...tryOr(() => readdirSync(lockDirectory), []), ...stoppedLast]);
  return [...names]
    .toSorted((one, other) => stoppedLast.indexOf(one) - stoppedLast.indexOf(other))
    .map((name) => ({
      name,
      paths: [
        join(lockDirectory, name),
        // Kafka's own lock file, because an earlier version started brokers without any other lock.
        ...(name === 'kafka' ? [join(dataDir, 'kafka', 'data', '.lock')] : []),
      ],
    }));
}

async function end({ name, paths }: Leftover): Promise<void> {
  // SIGINT requests a fast shutdown of Postgres, and only the first Postgres process may receive it.
  const stopSignal = name === 'postgres' ? 'SIGINT' : 'SIGTERM';
  const first = holdersOf(paths);
  for (const pid of first.filter((one) => !first.includes(parentOf(one) ?? 0))) {
    sendSignal(pid, stopSignal);
  }
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  for (let holders = first; holders.length > 0; holders = holdersOf(paths)) {
    if (Date.now() > deadline) for (const pid of holders) sendSignal(pid, 'SIGKILL');
    await sleep(POLL_INTERVAL_MS);
  }
}

const holdersOf = (paths: readonly string[]): readonly number[] => paths.flatMap(findHolders);
