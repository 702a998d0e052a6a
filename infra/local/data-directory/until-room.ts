import { setTimeout as sleep } from 'node:timers/promises';
import {
  MIB,
  MIN_FLOOR_BYTES,
  measureStorage,
  type Storage,
} from '../../../shared/storage/storage-floor.ts';
import type { Terminal } from '../terminal.ts';

/** With less free space, a recovery would fill the disk before it completes. The released reserve has this size. */
const START_BYTES = MIN_FLOOR_BYTES / 4;
const START_INODES = 100;
const CHECK_EVERY_MS = 250;
const WARN_EVERY_MS = 10_000;

/**
 * Waits until there is enough free space for Kafka or Postgres to recover, and prints that it is waiting. Neither is
 * started on a full disk, because it could not do anything useful, and each attempt could leave incomplete files
 * behind.
 */
export async function untilRoom(
  { name, path }: { readonly name: string; readonly path: string },
  deps: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  let warnedAt = 0;
  while (!deps.isStopping()) {
    const storage = await measureStorage(path);
    if (hasRoom(storage)) return;
    if (Date.now() - warnedAt >= WARN_EVERY_MS) {
      warnedAt = Date.now();
      deps.terminal.warn(
        `${name} starts when the disk of ${path} has ${START_BYTES / MIB} MB and ${START_INODES} inodes free. It has ${describeFree(storage)}: free some space.`,
      );
    }
    await sleep(CHECK_EVERY_MS);
  }
}

function hasRoom({ freeBytes, freeInodes, totalInodes }: Storage): boolean {
  return freeBytes >= START_BYTES && (totalInodes === 0 || freeInodes >= START_INODES);
}

function describeFree({ freeBytes, freeInodes, totalInodes }: Storage): string {
  const megabytes = `${Math.floor(freeBytes / MIB)} MB`;
  return totalInodes === 0 ? megabytes : `${megabytes} and ${freeInodes} inodes`;
}
