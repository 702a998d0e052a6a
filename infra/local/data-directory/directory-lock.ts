import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, OperatorError } from '../operator-error.ts';
import { isSameProcess, processIdentity } from '../processes/process-identity.ts';

interface LockHolder {
  readonly pid: number;
  readonly identity: string;
}

export interface DirectoryLock {
  release(): void;
}

/**
 * Takes the data directory for this process, for as long as it lives. A lock whose holder is gone
 * is taken over.
 *
 * Both steps are atomic in the file system: `link` creates the lock with its content or fails, and
 * of several starts that find the same stale lock, `rename` lets one remove it.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const lockPath = join(directory, 'lock');
  const ownPath = join(directory, `lock.${process.pid}`);
  const own = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) ?? '' });
  writeFileSync(ownPath, own, { mode: 0o600 });
  try {
    takeLock(directory, lockPath, ownPath);
  } finally {
    rmSync(ownPath, { force: true });
  }
  return {
    release() {
      if (readLock(lockPath)?.pid === process.pid) rmSync(lockPath, { force: true });
    },
  };
}

/** Whether a live process holds the directory. */
export function isDirectoryLocked(directory: string): boolean {
  const holder = readLock(join(directory, 'lock'));
  return holder !== undefined && isSameProcess(holder.pid, holder.identity);
}

function takeLock(directory: string, lockPath: string, ownPath: string): void {
  while (!tryLink(ownPath, lockPath)) {
    const holder = readLock(lockPath);
    if (holder !== undefined && isSameProcess(holder.pid, holder.identity)) {
      throw new OperatorError(
        `Annals already runs on ${directory} (process ${holder.pid}): stop that one first, or set ANNALS_DATA_DIR to another directory.`,
      );
    }
    removeStaleLock(lockPath, holder);
  }
}

function removeStaleLock(lockPath: string, judged: LockHolder | undefined): void {
  const removedPath = `${lockPath}.stale.${process.pid}`;
  try {
    renameSync(lockPath, removedPath);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  // Another start may have replaced the stale lock by its own between our look and the rename.
  const removed = readLock(removedPath);
  if (removed?.identity !== judged?.identity) tryLink(removedPath, lockPath);
  rmSync(removedPath, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function readLock(path: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isLockHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isLockHolder(value: unknown): value is LockHolder {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}
