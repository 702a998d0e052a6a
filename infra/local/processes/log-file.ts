import {
  closeSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  type WriteStream,
} from 'node:fs';

const maxBytes = 10 * 1024 * 1024;
const keptFiles = 3;
const tailBytes = 8 * 1024;

/** Lines of one process after the other, in a file that is rotated while it grows. */
export interface LogFile {
  write(line: string): void;
  close(): void;
}

/** `onError` is told when a file cannot be written. What is written then is lost, until the next file is begun. */
export function openLogFile(
  path: string,
  { onError, limitBytes = maxBytes }: { onError: (error: unknown) => void; limitBytes?: number },
): LogFile {
  let bytes = 0;
  const begin = (prepare: (path: string) => void): WriteStream | undefined => {
    try {
      prepare(path);
      bytes = sizeOf(path);
      // Opened at once: until then it could not be moved.
      const fd = openSync(path, 'a', 0o600);
      return createWriteStream(path, { fd }).once('error', onError);
    } catch (error) {
      bytes = 0;
      onError(error);
      return undefined;
    }
  };
  let file = begin((old) => rotateLog(old, limitBytes));
  return {
    write(line) {
      if (bytes >= limitBytes) {
        // What it still holds goes to the file that it has open, whatever that is called by then.
        file?.end();
        file = begin(moveAside);
      }
      file?.write(`${line}\n`);
      bytes += Buffer.byteLength(line) + 1;
    },
    close: () => file?.end(),
  };
}

/** Makes room for a new log where the old one has grown large: `x.log` becomes `x.log.1`, and so on. */
export function rotateLog(path: string, limitBytes = maxBytes): void {
  if (sizeOf(path) > limitBytes) moveAside(path);
}

/**
 * The same for a log that another program has open to append to: its content is copied and the file emptied. A line
 * that is written in between is lost.
 */
export function rotateOpenLog(path: string, limitBytes = maxBytes): void {
  if (sizeOf(path) <= limitBytes) return;
  moveEarlierAside(path);
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

function moveAside(path: string): void {
  moveEarlierAside(path);
  if (existsSync(path)) renameSync(path, `${path}.1`);
}

/** `x.log.1` becomes `x.log.2`, and so on; the last one is replaced. */
function moveEarlierAside(path: string): void {
  for (let number = keptFiles; number > 1; number -= 1) {
    const from = `${path}.${number - 1}`;
    if (existsSync(from)) renameSync(from, `${path}.${number}`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The end of a log, at most 8 KiB. */
export function readLogTail(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, tailBytes);
    const tail = Buffer.alloc(length);
    readSync(file, tail, 0, length, size - length);
    return tail.toString();
  } finally {
    closeSync(file);
  }
}
