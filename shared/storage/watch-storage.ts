import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StorageSettings } from '../config/storage-settings.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Metrics } from '../runtime/metrics.ts';
import {
  classifyStorage,
  measureStorage,
  type Storage,
  type StorageLevel,
  toFloor,
  worseOf,
} from './storage-floor.ts';

/** Watches the free space on the disks of Kafka and Postgres. */
export interface StorageWatch {
  /** Returns the level of the fullest disk, as of the last measurement. */
  level(): StorageLevel;
  /** Waits while the level is `scarce`, or until `isOver` returns true. */
  untilRoom(isOver: () => boolean): Promise<void>;
}

/** A disk that fills at 200 MB/s is 50 MB below its floor before this is detected. */
const MEASURE_EVERY_MS = 250;

interface WatchedDisk {
  readonly path: string;
  storage: Storage | undefined;
  level: StorageLevel;
}

/** Measures in the background until the process stops, so that reading the level costs nothing. */
export function watchStorage(
  { paths, floorBytes }: StorageSettings,
  {
    metrics,
    lifecycle,
    log,
    onLow,
  }: {
    readonly metrics: Metrics;
    readonly lifecycle: Lifecycle;
    readonly log: Logger;
    /**
     * Called when a disk becomes `low`, but not if it drops straight to `scarce`, because the disk is then too full for
     * any work.
     */
    readonly onLow?: () => void;
  },
): StorageWatch {
  const disks = paths.map((path): WatchedDisk => ({ path, storage: undefined, level: 'plenty' }));
  measureDisks(metrics, disks, floorBytes);
  void (async () => {
    while (disks.length > 0 && !lifecycle.isStopping()) {
      for (const disk of disks) {
        const before = disk.level;
        await updateDisk(disk, { floorBytes, log });
        if (before === 'plenty' && disk.level === 'low') onLow?.();
      }
      await sleep(MEASURE_EVERY_MS, undefined, { ref: false });
    }
  })();
  const level = () =>
    disks.reduce<StorageLevel>((worst, disk) => worseOf(worst, disk.level), 'plenty');
  return {
    level,
    async untilRoom(isOver) {
      while (level() === 'scarce' && !isOver()) await sleep(MEASURE_EVERY_MS);
    },
  };
}

/** A disk that cannot be measured keeps its level. */
async function updateDisk(
  disk: WatchedDisk,
  { floorBytes, log }: { readonly floorBytes: number | undefined; readonly log: Logger },
): Promise<void> {
  const { path, level: before, storage: known } = disk;
  try {
    const storage = await measureStorage(path);
    disk.storage = storage;
    const floor = toFloor(storage, floorBytes);
    disk.level = classifyStorage(storage, floor, before);
    if (disk.level === before && known !== undefined) return;
    const fields = { ...storage, floor, room: disk.level };
    if (disk.level === 'plenty') log.info(fields, 'storage has enough free space');
    else log.error(fields, 'storage is nearly full');
  } catch (err) {
    if (known !== undefined) log.warn({ err, path }, 'cannot measure storage');
    disk.storage = undefined;
  }
}

function measureDisks(
  metrics: Metrics,
  disks: readonly WatchedDisk[],
  floorBytes: number | undefined,
): void {
  const read = (toValue: (storage: Storage, disk: WatchedDisk) => number) => () =>
    disks.flatMap((disk) => {
      const { path, storage } = disk;
      return storage === undefined ? [] : [{ labels: { path }, value: toValue(storage, disk) }];
    });
  metrics.read(
    'annals_storage_free_bytes',
    read(({ freeBytes }) => freeBytes),
  );
  metrics.read(
    'annals_storage_floor_bytes',
    read((storage) => toFloor(storage, floorBytes).bytes),
  );
  metrics.read(
    'annals_storage_low',
    read((_, { level }) => (level === 'plenty' ? 0 : 1)),
  );
}
