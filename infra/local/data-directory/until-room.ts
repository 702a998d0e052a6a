import { setTimeout as sleep } from 'node:timers/promises';
import { measureStorage, type Storage } from '../../../shared/storage/measure-storage.ts';
import { LEAST_FLOOR_BYTES, MIB } from '../../../shared/storage/storage-floor.ts';
import type { Terminal } from '../terminal.ts';

/** With less, recovering would fill the disk before it is done. The reserve that is given up is as much. */
const START_BYTES = LEAST_FLOOR_BYTES / 4;
const START_INODES = 100;
const LOOK_EVERY_MS = 250;
const SAY_EVERY_MS = 10_000;

/**
 * Waits until a Kafka or a Postgres has room to recover in, and says so. Neither is ever started on a full disk: what
 * they would do there helps nobody, and each try could leave something half-written.
 */
export async function untilRoom(
  { name, path }: { readonly name: string; readonly path: string },
  deps: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  let saidAt = 0;
  while (!deps.isStopping()) {
    const storage = await measureStorage(path);
    if (hasRoom(storage)) return;
    if (Date.now() - saidAt >= SAY_EVERY_MS) {
      saidAt = Date.now();
      deps.terminal.warn(
        `${name} is started when the disk that holds ${path} has ${START_BYTES / MIB} MB and ${START_INODES} inodes free. It has ${describeFree(storage)}: free some space.`,
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function hasRoom({ freeBytes, freeInodes, totalInodes }: Storage): boolean {
  return freeBytes >= START_BYTES && (totalInodes === 0 || freeInodes >= START_INODES);
}

function describeFree({ freeBytes, freeInodes, totalInodes }: Storage): string {
  const megabytes = `${Math.floor(freeBytes / MIB)} MB`;
  return totalInodes === 0 ? megabytes : `${megabytes} and ${freeInodes} inodes`;
}
