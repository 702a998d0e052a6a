import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { type FileLock, findHolders, tryLockFile } from '../processes/file-lock.ts';
import { isSameProcess, processIdentity } from '../processes/process-identity.ts';
import { parseJson, tryOr } from '../try-or.ts';

interface LockHolder {
  readonly pid: number;
  readonly identity: string;
}

export interface DirectoryLock {
  release(): void;
}

const lockFile = (directory: string): string => join(directory, 'lock');

/**
 * Locks the data directory for this process until it exits. Only the operating system's lock on the file matters. The
 * file also contains the holder's pid, for messages and for earlier versions, which used only the pid.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = lockFile(directory);
  const lock = tryLockFile(path);
  const holder = findLivingHolder(path);
  if (lock === undefined || holder !== undefined) {
    lock?.release();
    throw new OperatorError(
      `Annals is already running on ${directory}${holder ? ` (process ${holder.pid})` : ''}: stop it first, or set ANNALS_DATA_DIR to another directory.`,
    );
  }
  writeHolder(lock);
  return {
    release() {
      ftruncateSync(lock.fd);
      lock.release();
    },
  };
}

/** Returns whether a live process holds the directory's lock. */
export function isDirectoryLocked(directory: string): boolean {
  const path = lockFile(directory);
  return findLivingHolder(path) !== undefined || findHolders(path).length > 0;
}

function writeHolder({ fd }: FileLock): void {
  const holder = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  try {
    ftruncateSync(fd);
    writeSync(fd, JSON.stringify(holder), 0);
  } catch {
    // On a full disk the holder's pid is missing; the lock still applies.
  }
}

function findLivingHolder(path: string): LockHolder | undefined {
  const content = parseJson(tryOr(() => readFileSync(path, 'utf8'), ''));
  const { pid, identity } = (content ?? {}) as Partial<LockHolder>;
  if (typeof pid !== 'number' || typeof identity !== 'string') return undefined;
  return isSameProcess(pid, identity) ? { pid, identity } : undefined;
}
