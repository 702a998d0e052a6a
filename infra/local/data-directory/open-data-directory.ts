import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError, toOperatorError } from '../operator-error.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';

export interface DataDirectory extends ReturnType<typeof describeDataDirectory> {
  readonly lock: DirectoryLock;
}

const MIN_FREE_BYTES = 512 * 1024 * 1024;

/** Creates the directory if it is missing, and locks it for this process. */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  try {
    createDirectory(path);
    const lock = lockDirectory(path);
    try {
      // Later starts need less space, and wait until it is free (until-room.ts).
      if (!hasData(path)) checkFreeSpace(path);
      const directory = describeDataDirectory(path);
      mkdirSync(directory.logs, { recursive: true, mode: 0o700 });
      return { ...directory, lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw toOperatorError(error, path);
  }
}

/** Returns the paths in the data directory that a run uses. */
function describeDataDirectory(path: string) {
  return {
    path,
    logs: join(path, 'logs'),
    postgres: join(path, 'postgres'),
    accessFile: join(path, 'access.json'),
    /** Has the same form as `accessFile`. Operators' commands read this file until `accessFile` exists. */
    startingFile: join(path, 'starting.json'),
    seedFile: join(path, 'seed.json'),
    secretKeyFile: join(path, 'secret.key'),
    portsFile: join(path, 'ports.json'),
    /** Takes up space that is released when the disk is almost full. */
    reserveFile: join(path, 'reserve'),
    /** Contains the lock file of each process. */
    run: join(path, 'run'),
    /** Needed by the current run or the next one. */
    keptFiles: [
      'access.json',
      'secret.key',
      'ports.json',
      join('kafka', 'password'),
      join('postgres', 'password'),
    ].map((name) => join(path, name)),
  } as const;
}

function createDirectory(path: string): void {
  // If Annals runs as root, Postgres runs as another user, who must be able to traverse the directory but not to list
  // it.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  makeDirectory(path, mode);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Returns true if Kafka or Postgres has run here as a local process and left data. */
export function hasData(path: string): boolean {
  return ['kafka', 'postgres'].some((part) => existsSync(join(path, part, 'data')));
}

function checkFreeSpace(path: string): void {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  if (freeBytes >= MIN_FREE_BYTES) return;
  throw new OperatorError(
    `Only ${toMegabytes(freeBytes)} MB are free on the disk that contains ${path}, but Annals needs at least ${toMegabytes(MIN_FREE_BYTES)} MB: free some space, or set ANNALS_DATA_DIR to a directory on another disk.`,
  );
}

const toMegabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/** Creates a directory and its missing parents, all of them with this mode regardless of the umask. */
export function makeDirectory(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}

/**
 * Returns a directory on the disk that Kafka's or Postgres's part of the data directory uses: the data directory,
 * unless the part is on a separate disk.
 */
export function findDisk(part: string): string {
  const parent = dirname(part);
  const found = statSync(part, { throwIfNoEntry: false });
  return found === undefined || found.dev === statSync(parent).dev ? parent : part;
}
