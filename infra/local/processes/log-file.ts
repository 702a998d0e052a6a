import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tryOr } from '../try-or.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const KEPT_FILES = 3;
const TAIL_BYTES = 8 * 1024;
/** The pause after a failed write. Otherwise every line would try to open the file again. */
const RETRY_AFTER_MS = 1_000;

/** A log file for successive processes, which is rotated as it grows. */
export interface LogFile {
  write(line: string): void;
  close(): void;
}

/**
 * Calls `onError` when the file cannot be written. Until it can be written again, lines are lost: a full disk affects
 * only the log.
 */
export function openLogFile(
  path: string,
  { onError, limitBytes = MAX_BYTES }: { onError: (error: unknown) => void; limitBytes?: number },
): LogFile {
  let file: number | undefined;
  let bytes = 0;
  let failedAt: number | undefined;
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const open = (): number => {
    rotateLog(path, limitBytes);
    bytes = sizeOf(path);
    return openSync(path, 'a', 0o600);
  };
  return {
    write(line) {
      if (failedAt !== undefined && Date.now() - failedAt < RETRY_AFTER_MS) return;
      try {
        if (bytes >= limitBytes) close();
        file ??= open();
        bytes += writeSync(file, `${line}\n`);
        failedAt = undefined;
      } catch (error) {
        if (failedAt === undefined) onError(error);
        failedAt = Date.now();
        close();
      }
    },
    close,
  };
}

/** Rotates a log that has grown large: `x.log` becomes `x.log.1`, and so on. */
export function rotateLog(path: string, limitBytes = MAX_BYTES): void {
  if (sizeOf(path) < limitBytes) return;
  moveEarlierAside(path);
  renameSync(path, `${path}.1`);
}

/**
 * Rotates a log that another program has open in append mode: copies its content and truncates the file. A line that
 * is written in between is lost.
 */
export function rotateOpenLog(path: string, limitBytes = MAX_BYTES): void {
  if (sizeOf(path) <= limitBytes) return;
  const copy = `${path}.0`;
  try {
    copyFileSync(path, copy);
  } catch (error) {
    // On a full disk, an incomplete copy would replace a complete older log.
    rmSync(copy, { force: true });
    throw error;
  }
  moveEarlierAside(path);
  renameSync(copy, `${path}.1`);
  truncateSync(path);
}

/** `x.log.1` becomes `x.log.2`, and so on; the last one is replaced. */
function moveEarlierAside(path: string): void {
  for (let number = KEPT_FILES; number > 1; number -= 1) {
    const from = `${path}.${number - 1}`;
    if (existsSync(from)) renameSync(from, `${path}.${number}`);
  }
}

/** Returns the size in bytes; 0 for a missing file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the end of a log, at most 8 KiB, ignoring its first `from` bytes. */
export function readLogTail(path: string, from = 0): string {
  const file = tryOr(() => openSync(path, 'r'), undefined);
  if (file === undefined) return '';
  try {
    const { size } = fstatSync(file);
    const length = Math.min(Math.max(size - from, 0), TAIL_BYTES);
    const tail = Buffer.alloc(length);
    readSync(file, tail, 0, length, size - length);
    return tail.toString();
  } finally {
    closeSync(file);
  }
}
