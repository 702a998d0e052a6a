import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from './file-store.ts';

const READ_BYTES = 512 * 1024;

/** Yields a range of an open file. Throws the error of `tooShort` if the file ends before the range. */
export async function* readHandle(
  file: FileHandle,
  { from, to }: ByteRange,
  tooShort: () => Error,
): AsyncGenerator<Buffer> {
  let position = from;
  while (position < to) {
    const length = Math.min(READ_BYTES, to - position);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
    if (bytesRead === 0) throw tooShort();
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
