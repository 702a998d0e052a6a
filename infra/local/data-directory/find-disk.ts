import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Returns a directory on the disk that Kafka's or Postgres's part of the data directory uses: the data directory,
 * unless the part is on a separate disk.
 */
export function findDisk(part: string): string {
  const parent = dirname(part);
  const found = statSync(part, { throwIfNoEntry: false });
  return found === undefined || found.dev === statSync(parent).dev ? parent : part;
}
