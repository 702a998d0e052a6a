import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError, toOperatorError } from '../operator-error.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { makeDirectory } from './make-directory.ts';

export interface DataDirectory extends ReturnType<typeof describeDataDirectory> {
  readonly lock: DirectoryLock;
}

const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/** Creates the directory if it is missing, and takes it for this process. */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  try {
    createDirectory(path);
    const lock = lockDirectory(path);
    try {
      // Later ones need less, and wait for it (until-room.ts).
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

/** Where the parts of a run lie in the data directory. */
function describeDataDirectory(path: string) {
  return {
    path,
    logs: join(path, 'logs'),
    postgres: join(path, 'postgres'),
    accessFile: join(path, 'access.json'),
    /** Says what `accessFile` will say, to operators' commands that are wanted before that is there. */
    startingFile: join(path, 'starting.json'),
    seedFile: join(path, 'seed.json'),
    secretKeyFile: join(path, 'secret.key'),
    portsFile: join(path, 'ports.json'),
    /** Takes space that is given up when the disk fills. */
    reserveFile: join(path, 'reserve'),
    /** Holds the lock file of each process. */
    run: join(path, 'run'),
    /** Needed while a run lasts, or by the next one. */
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
  // Postgres of a root user runs as somebody else, who has to pass through but not to look around.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  makeDirectory(path, mode);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Whether Kafka or Postgres keep data here, as local processes. */
export function hasData(path: string): boolean {
  return ['kafka', 'postgres'].some((part) => existsSync(join(path, part, 'data')));
}

function checkFreeSpace(path: string): void {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  if (freeBytes >= LEAST_FREE_BYTES) return;
  throw new OperatorError(
    `Only ${toMegabytes(freeBytes)} MB are free on the disk that holds ${path}, and Annals wants at least ${toMegabytes(LEAST_FREE_BYTES)} MB: free some space, or set ANNALS_DATA_DIR to a directory on another disk.`,
  );
}

const toMegabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
