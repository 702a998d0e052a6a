import {
  closeSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  type WriteStream,
} from 'node:fs';
import { tried } from '../tried.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const KEPT_FILES = 3;
const TAIL_BYTES = 8 * 1024;
/** After a write that failed: each line would open the file anew. */
const RETRY_AFTER_MS = 1_000;

/** Lines of one process after the other, in a file that is rotated while it grows. */
export interface LogFile {
  write(line: string): void;
  close(): void;
}

/** `onError` is told when a file cannot be written. What comes then is lost, until it can: a full disk costs the log only. */
export function openLogFile(
  path: string,
  { onError, limitBytes = MAX_BYTES }: { onError: (error: unknown) => void; limitBytes?: number },
): LogFile {
  let bytes = 0;
  let failedAt = 0;
  let isFailing = false;
  let file: WriteStream | undefined;
  const fail = (error: unknown): void => {
    if (!isFailing) onError(error);
    isFailing = true;
    file = undefined;
  };
  const begin = (prepare: (path: string) => void): void => {
    try {
      prepare(path);
      bytes = sizeOf(path);
      // Opened at once: until then it could not be moved.
      const fd = openSync(path, 'a', 0o600);
      file = createWriteStream(path, { fd }).once('error', (error) => {
        failedAt = Date.now();
        fail(error);
      });
    } catch (error) {
      fail(error);
    }
  };
  const beginUsual = (): void => begin((old) => rotateLog(old, limitBytes));
  beginUsual();
  return {
    write(line) {
      if (file === undefined && Date.now() - failedAt >= RETRY_AFTER_MS) beginUsual();
      if (bytes >= limitBytes) {
        // The stream writes its remaining lines to the open file, even once that is renamed.
        file?.end();
        begin(moveAside);
      }
      file?.write(`${line}\n`, (error) => {
        if (!error) isFailing = false;
      });
      bytes += Buffer.byteLength(line) + 1;
    },
    close: () => file?.end(),
  };
}

/** Makes room for a new log where the old one has grown large: `x.log` becomes `x.log.1`, and so on. */
export function rotateLog(path: string, limitBytes = MAX_BYTES): void {
  if (sizeOf(path) > limitBytes) moveAside(path);
}

/**
 * The same for a log that another program has open to append to: its content is copied and the file emptied. A line
 * that is written in between is lost.
 */
export function rotateOpenLog(path: string, limitBytes = MAX_BYTES): void {
  if (sizeOf(path) <= limitBytes) return;
  const copy = `${path}.0`;
  try {
    copyFileSync(path, copy);
  } catch (error) {
    // A full disk: half a copy would replace a whole log of before.
    rmSync(copy, { force: true });
    throw error;
  }
  moveEarlierAside(path);
  renameSync(copy, `${path}.1`);
  truncateSync(path);
}

function moveAside(path: string): void {
  moveEarlierAside(path);
  if (existsSync(path)) renameSync(path, `${path}.1`);
}

/** `x.log.1` becomes `x.log.2`, and so on; the last one is replaced. */
function moveEarlierAside(path: string): void {
  for (let number = KEPT_FILES; number > 1; number -= 1) {
    const from = `${path}.${number - 1}`;
    if (existsSync(from)) renameSync(from, `${path}.${number}`);
  }
}

/** Bytes, 0 of a missing one. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The end of a log, at most 8 KiB, of what stands behind its first `from` bytes. */
export function readLogTail(path: string, from = 0): string {
  const file = tried(() => openSync(path, 'r'), undefined);
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
