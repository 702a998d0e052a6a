import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A directory on the disk of Kafka's or Postgres's part of the data directory: the latter, unless the part has a disk of its own. */
export function findDisk(part: string): string {
  const parent = dirname(part);
  const found = statSync(part, { throwIfNoEntry: false });
  return found === undefined || found.dev === statSync(parent).dev ? parent : part;
}
