import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { type FileLock, findHolders, tryLockFile } from '../processes/file-lock.ts';
import { isSameProcess, processIdentity } from '../processes/process-identity.ts';
import { tried } from '../tried.ts';

interface LockHolder {
  readonly pid: number;
  readonly identity: string;
}

export type DirectoryLock = Pick<FileLock, 'release'>;

const lockFile = (directory: string): string => join(directory, 'lock');

/**
 * Takes the data directory for this process, for as long as it lives. The operating system's lock on the file decides.
 * The file also names its holder, for people, and for versions before, which had nothing else.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = lockFile(directory);
  const lock = tryLockFile(path);
  const holder = findLivingHolder(path);
  if (lock === undefined || holder !== undefined) {
    lock?.release();
    throw new OperatorError(
      `Annals already runs on ${directory}${holder ? ` (process ${holder.pid})` : ''}: stop that one first, or set ANNALS_DATA_DIR to another directory.`,
    );
  }
  nameHolder(lock);
  return {
    release() {
      ftruncateSync(lock.fd);
      lock.release();
    },
  };
}

/** Whether a live process holds the directory. */
export function isDirectoryLocked(directory: string): boolean {
  const path = lockFile(directory);
  return findLivingHolder(path) !== undefined || findHolders(path).length > 0;
}

function nameHolder({ fd }: FileLock): void {
  const holder = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  try {
    ftruncateSync(fd);
    writeSync(fd, JSON.stringify(holder), 0);
  } catch {
    // On a full disk it has no name. The lock counts all the same.
  }
}

function findLivingHolder(path: string): LockHolder | undefined {
  const noted: unknown = tried(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
  const { pid, identity }: Partial<LockHolder> = Object(noted);
  if (typeof pid !== 'number' || typeof identity !== 'string') return undefined;
  return isSameProcess(pid, identity) ? { pid, identity } : undefined;
}
