import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError, toOperatorError } from '../operator-error.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { makeDirectory } from './make-directory.ts';

/** Where the parts of a run lie in the data directory. */
export interface DataDirectory {
  readonly path: string;
  readonly lock: DirectoryLock;
  readonly logs: string;
  readonly kafka: string;
  readonly postgres: string;
  readonly accessFile: string;
  /** Says what `accessFile` will say, to operators' commands that are wanted before that is there. */
  readonly startingFile: string;
  readonly seedFile: string;
  readonly secretKeyFile: string;
  readonly portsFile: string;
  /** Takes space that is given up when the disk fills. */
  readonly reserveFile: string;
  /** Holds the lock file of each process. */
  readonly run: string;
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
      const logs = join(path, 'logs');
      mkdirSync(logs, { recursive: true, mode: 0o700 });
      return { ...describeDataDirectory(path), logs, lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw toOperatorError(error, path);
  }
}

function describeDataDirectory(path: string): Omit<DataDirectory, 'lock' | 'logs'> {
  return {
    path,
    kafka: join(path, 'kafka'),
    postgres: join(path, 'postgres'),
    accessFile: join(path, 'access.json'),
    startingFile: join(path, 'starting.json'),
    seedFile: join(path, 'seed.json'),
    secretKeyFile: join(path, 'secret.key'),
    portsFile: join(path, 'ports.json'),
    reserveFile: join(path, 'reserve'),
    run: join(path, 'run'),
  };
}

function createDirectory(path: string): void {
  // Postgres of a root user runs as somebody else, who has to pass through but not to look around.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  makeDirectory(path, mode);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

function hasData(path: string): boolean {
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
