import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  MIB,
  MIN_FLOOR_BYTES,
  measureStorage,
  toFloor,
} from '../../../shared/storage/storage-floor.ts';
import { isOutOfSpace } from '../operator-error.ts';
import type { Terminal } from '../terminal.ts';

/** Enough for Kafka and Postgres to finish their current work, but too little for the dispatcher to continue. */
const RESERVE_BYTES = MIN_FLOOR_BYTES / 4;
/** Below this much free space, the reserve is released. */
const SPARE_BYTES = MIN_FLOOR_BYTES / 8;
const CHECK_EVERY_MS = 250;

interface Reserve {
  readonly path: string;
  /** The configured free space below which the api rejects writes; undefined if it is not configured. */
  readonly floorBytes: number | undefined;
  readonly isWanted: () => boolean;
  readonly terminal: Terminal;
}

/**
 * Maintains a file that takes up space and is deleted when the disk is nearly full. It is created again once there is
 * plenty of space. Runs until `isStopping`; the file remains.
 */
export async function keepReserve(reserve: Reserve, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    await updateReserve(reserve);
    await sleep(CHECK_EVERY_MS);
  }
}

async function updateReserve({ path, floorBytes, isWanted, terminal }: Reserve): Promise<void> {
  const storage = await measureStorage(dirname(path));
  if (!existsSync(path)) {
    const { bytes } = toFloor(storage, floorBytes);
    if (storage.freeBytes > 1.2 * bytes + RESERVE_BYTES && isWanted()) makeReserve(path);
  } else if (storage.freeBytes < SPARE_BYTES) {
    rmSync(path);
    terminal.warn(
      `The disk with ${dirname(path)} is nearly full. The reserve of ${RESERVE_BYTES / MIB} MB has been released so that Kafka and Postgres can continue: free some space.`,
    );
  }
}

/**
 * Writes random bytes, which no file system can compress. If other programs fill the disk in the meantime, the file is
 * removed and created later.
 */
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
