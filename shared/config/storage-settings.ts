import { existsSync } from 'node:fs';
import type { EnvReader } from './env.ts';

/** The paths where Kafka and Postgres store their data, if this process can access them. */
export interface StorageSettings {
  readonly paths: readonly string[];
  /** Writes are rejected below this much free space. If undefined, the floor is computed from the size of each disk. */
  readonly floorBytes: number | undefined;
}

const BYTES_PER_MIB = 2 ** 20;
const UNSET = 0;

export function readStorageSettings(read: EnvReader): StorageSettings {
  const paths = read.list('STORAGE_PATHS', []);
  for (const path of paths.filter((one) => !existsSync(one))) {
    read.problem(`STORAGE_PATHS names ${path}, which does not exist`);
  }
  // Kafka and Postgres need at least this much space to stop and recover.
  const floor = read.int('STORAGE_FLOOR', {
    fallback: UNSET,
    min: 64,
    max: 1_000_000,
    isDerived: true,
  });
  return { paths, floorBytes: floor === UNSET ? undefined : floor * BYTES_PER_MIB };
}
