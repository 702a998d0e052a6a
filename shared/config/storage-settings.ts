import { existsSync } from 'node:fs';
import type { EnvReader } from './env.ts';

/** Where Kafka and Postgres keep their data, as far as this process can see it. */
export interface StorageSettings {
  readonly paths: readonly string[];
  /** Of free space, below which nothing new is taken; undefined: worked out from the size of each disk. */
  readonly floorBytes: number | undefined;
}

const BYTES_PER_MIB = 2 ** 20;
const unset = 0;

export function readStorageSettings(read: EnvReader): StorageSettings {
  const paths = read.list('STORAGE_PATHS', []);
  for (const path of paths.filter((one) => !existsSync(one))) {
    read.problem(`STORAGE_PATHS names ${path}, which does not exist`);
  }
  // Less would not be enough for Kafka and Postgres to stop and recover.
  const floor = read.int('STORAGE_FLOOR', { fallback: unset, min: 64, max: 1_000_000 });
  return { paths, floorBytes: floor === unset ? undefined : floor * BYTES_PER_MIB };
}
