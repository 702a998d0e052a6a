import { statfs } from 'node:fs/promises';

/** The free space below which a disk counts as full. */
export interface StorageFloor {
  readonly bytes: number;
  readonly inodes: number;
}

export const MIB = 2 ** 20;
/** The space that Kafka and Postgres need to finish their work, stop, and recover. */
export const MIN_FLOOR_BYTES = 64 * MIB;
const MAX_FLOOR_BYTES = 1024 * MIB;
const MAX_FLOOR_INODES = 10_000;

/** By default, the floor is a tenth of the disk, within bounds, and a twentieth of the inodes. */
export function toFloor({ totalBytes, totalInodes }: Storage, bytes?: number): StorageFloor {
  const tenth = Math.round(totalBytes / 10);
  return {
    bytes: bytes ?? Math.min(Math.max(tenth, MIN_FLOOR_BYTES), MAX_FLOOR_BYTES),
    inodes: Math.min(Math.round(totalInodes / 20), MAX_FLOOR_INODES),
  };
}

/** Returns whether less than this share of the floor is free. */
export function isBelow(storage: Storage, { bytes, inodes }: StorageFloor, share = 1): boolean {
  const lacksInodes = storage.totalInodes > 0 && storage.freeInodes < inodes * share;
  return storage.freeBytes < bytes * share || lacksInodes;
}

/**
 * `plenty`: everything works. `low`: new writes are rejected. `scarce`: background work also pauses, and logins are
 * rejected.
 */
export type StorageLevel = 'plenty' | 'low' | 'scarce';

const SCARCE_SHARE = 1 / 2;
/**
 * Leaving a level requires slightly more free space than entering it, so that the level does not change with every
 * file.
 */
const ENOUGH_SHARE = 1.1;

export function classifyStorage(
  storage: Storage,
  floor: StorageFloor,
  before: StorageLevel,
): StorageLevel {
  const levelAt = (share: number): StorageLevel => {
    if (isBelow(storage, floor, SCARCE_SHARE * share)) return 'scarce';
    return isBelow(storage, floor, share) ? 'low' : 'plenty';
  };
  const now = levelAt(1);
  const withMargin = levelAt(ENOUGH_SHARE);
  return rankOf(now) >= rankOf(before) ? now : worseOf(now, withMargin);
}

const levels: readonly StorageLevel[] = ['plenty', 'low', 'scarce'];
const rankOf = (level: StorageLevel): number => levels.indexOf(level);

export function worseOf(one: StorageLevel, other: StorageLevel): StorageLevel {
  return rankOf(one) > rankOf(other) ? one : other;
}

/** The free space on a disk, as far as this user may use it. */
export interface Storage {
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly freeInodes: number;
  /** 0 if the file system allocates inodes on demand. */
  readonly totalInodes: number;
}

/** Measures the disk of this file or directory. */
export async function measureStorage(path: string): Promise<Storage> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(path);
  return {
    path,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeInodes: ffree,
    totalInodes: files,
  };
}
