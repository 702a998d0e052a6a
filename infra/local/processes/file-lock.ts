import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode, OperatorError } from '../operator-error.ts';
import { tryOr } from '../try-or.ts';

/**
 * An exclusive operating system lock on an open file. It belongs to the descriptor: a child that inherits the
 * descriptor also holds the lock, which ends when the last process with the descriptor exits, for whatever reason.
 * Nothing is written, so the lock also works on a full disk.
 */
export interface FileLock {
  readonly fd: number;
  /** Closes this process's descriptor. A child that inherited it keeps the lock. */
  release(): void;
}

// On the BSDs and macOS, this flag takes the lock when the file is opened. Node has no constant for the flag, and Linux
// does not support it.
const lockAtOpen = process.platform === 'linux' ? 0 : 0x20 | constants.O_NONBLOCK;

/**
 * Creates the file if it is missing. Returns undefined while another process holds the lock. The file must never be
 * removed.
 */
export function tryLockFile(path: string): FileLock | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_CREAT | lockAtOpen, 0o600);
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
  if (process.platform !== 'linux' || flockInherited(fd, path)) {
    return { fd, release: () => closeSync(fd) };
  }
  closeSync(fd);
  return undefined;
}

/**
 * Node cannot call flock(2). The program flock can, on an inherited descriptor; the lock remains after the program has
 * exited.
 */
function flockInherited(fd: number, path: string): boolean {
  const { error, status } = spawnSync('flock', ['-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  if (status === 0) return true;
  if (status === 1) return false;
  closeSync(fd);
  throw new OperatorError(
    errorCode(error) === 'ENOENT'
      ? 'Annals locks its data with the program flock, which is not installed: install util-linux.'
      : `${path} cannot be locked: set ANNALS_DATA_DIR to a directory on a local disk.`,
    { cause: error },
  );
}

/** Returns the other processes that have the file open, and thus hold its lock. */
export function findHolders(path: string): readonly number[] {
  const found = process.platform === 'linux' ? linuxHolders(path) : portableHolders(path);
  return found.filter((pid) => pid !== process.pid);
}

function linuxHolders(path: string): readonly number[] {
  const wanted = statSync(path, { throwIfNoEntry: false });
  if (wanted === undefined) return [];
  const hasOpen = (descriptor: string): boolean => {
    // The name is checked first, because a stat call on an unavailable file system would block.
    if (!readlinkSync(descriptor).endsWith(`/${basename(path)}`)) return false;
    const { dev, ino } = statSync(descriptor);
    return dev === wanted.dev && ino === wanted.ino;
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const descriptors = `/proc/${pid}/fd`;
      // Processes may exit during the scan, and those of other users are not readable.
      return tryOr(() => readdirSync(descriptors), []).some((name) =>
        tryOr(() => hasOpen(`${descriptors}/${name}`), false),
      );
    })
    .map(Number);
}

function portableHolders(path: string): readonly number[] {
  const { stdout } = spawnSync('lsof', ['-t', path], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').filter(Boolean).map(Number);
}
