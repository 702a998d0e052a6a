import type { StorageSettings } from '../../../shared/config/storage-settings.ts';
import { isBelow, MIB, measureStorage, toFloor } from '../../../shared/storage/storage-floor.ts';

/** Writes are rejected below either limit in `floor`. `isLowSoon` is true below twice the floor, when an operator should act. */
type Disk = Awaited<ReturnType<typeof measureDisks>>[number];

/** Measures the disks of Kafka and Postgres on this machine. */
export async function measureDisks({ paths, floorBytes }: StorageSettings) {
  return Promise.all(
    paths.map(async (path) => {
      const storage = await measureStorage(path);
      const { freeBytes, freeInodes } = storage;
      const floor = toFloor(storage, floorBytes);
      const isLow = isBelow(storage, floor);
      const isLowSoon = isBelow(storage, floor, 2);
      return { path, freeBytes, freeInodes, floor, isLow, isLowSoon };
    }),
  );
}

/** Describes the free space and the limit, as part of a sentence. */
export function describeDisk({ freeBytes, freeInodes, floor, isLow }: Disk): string {
  const hasInodes = floor.inodes > 0;
  const free = `${toMegabytes(freeBytes)} MB${hasInodes ? ` and ${freeInodes} inodes` : ''} free`;
  const least = `${toMegabytes(floor.bytes)} MB${hasInodes ? ` or ${floor.inodes} inodes` : ''}`;
  return isLow
    ? `has ${free}, less than ${least}: writes are rejected`
    : `has ${free}; below ${least} writes are rejected`;
}

const toMegabytes = (bytes: number): number => Math.floor(bytes / MIB);
