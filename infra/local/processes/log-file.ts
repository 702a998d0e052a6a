import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';

const maxBytes = 10 * 1024 * 1024;
const keptFiles = 3;
const tailBytes = 8 * 1024;

/** Makes room for a new log where the old one has grown large: `x.log` becomes `x.log.1`, and so on. */
export function rotateLog(path: string, limitBytes = maxBytes): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= limitBytes) return;
  for (let number = keptFiles; number > 0; number -= 1) {
    const from = number === 1 ? path : `${path}.${number - 1}`;
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number}`);
  }
  rmSync(path, { force: true });
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
