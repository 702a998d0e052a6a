import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureStorage } from '../../../shared/storage/measure-storage.ts';
import { LEAST_FLOOR_BYTES, MIB, toFloor } from '../../../shared/storage/storage-floor.ts';
import { isOutOfSpace } from '../operator-error.ts';
import type { Terminal } from '../terminal.ts';

/** Enough for Kafka and Postgres to finish what is under way, and not so much that the dispatcher would go on by it. */
const RESERVE_BYTES = LEAST_FLOOR_BYTES / 4;
/** Here it is given up. */
const SPARE_BYTES = LEAST_FLOOR_BYTES / 8;
const LOOK_EVERY_MS = 250;

export interface ReserveDeps {
  readonly path: string;
  /** Of free space, below which the api refuses writes, if somebody said so. */
  readonly floorBytes: number | undefined;
  /** Whether anything is to be made room for. */
  readonly isWanted: () => boolean;
  readonly terminal: Terminal;
}

/**
 * A file that takes space until the disk is nearly full, and then makes room. It is made again once there is so much
 * that nobody would notice. Goes on until it is to stop; the file stays.
 */
export async function keepReserve(deps: ReserveDeps, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    await lookAtReserve(deps);
    await sleep(LOOK_EVERY_MS);
  }
}

async function lookAtReserve({ path, floorBytes, isWanted, terminal }: ReserveDeps): Promise<void> {
  const storage = await measureStorage(dirname(path));
  if (!existsSync(path)) {
    const { bytes } = toFloor(storage, floorBytes);
    if (storage.freeBytes > 1.2 * bytes + RESERVE_BYTES && isWanted()) makeReserve(path);
  } else if (storage.freeBytes < SPARE_BYTES) {
    rmSync(path);
    terminal.warn(
      `The disk that holds ${dirname(path)} is nearly full. The ${RESERVE_BYTES / MIB} MB that were kept in reserve are given up, so that Kafka and Postgres can go on: free some space.`,
    );
  }
}

/** Of bytes that no file system can make less of. What others took meanwhile ends it: it is tried again later. */
function makeReserve(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    const block = randomBytes(MIB);
    for (let written = 0; written < RESERVE_BYTES; ) written += writeSync(file, block);
  } catch (error) {
    rmSync(path);
    if (!isOutOfSpace(error)) throw error;
  } finally {
    closeSync(file);
  }
}
