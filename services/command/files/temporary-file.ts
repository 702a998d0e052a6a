import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageLow, Unavailable } from '../../../shared/domain/errors.ts';
import { readHandle } from '../../../shared/files/read-handle.ts';

/** A file on this machine's disk that only this process can open, and that disappears with the process. */
export interface TemporaryFile {
  readonly size: number;
  readonly sha256: string;
  /** Yields the bytes; every call yields the same bytes. */
  read(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Writes a stream to a temporary file, and computes its hash on the way. Closes the file if the stream fails. */
export async function writeTemporaryFile(pieces: AsyncIterable<Buffer>): Promise<TemporaryFile> {
  const file = await openUnnamed().catch((error: unknown) => {
    throw toFailure(error);
  });
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    await file.close();
    throw toFailure(error);
  }
  return {
    size,
    sha256: hash.digest('hex'),
    read: () => readHandle(file, { from: 0, to: size }, tooShort),
    close: () => file.close(),
  };
}

const tooShort = (): Error => new Error('a temporary file is shorter than expected');

/** The file has no name, so a killed process leaves nothing behind. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `annals-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** Returns the error of the stream unchanged. A broken disk is not the client's fault. */
function toFailure(error: unknown): unknown {
  const { code, syscall }: NodeJS.ErrnoException = Object(error);
  if (!['open', 'unlink', 'write'].includes(syscall ?? '')) return error;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') {
    const remedy = `let Annals write to ${tmpdir()}, or set TMPDIR to another directory`;
    return new Unavailable('Uploads cannot be received.', { cause: error, remedy });
  }
  return new StorageLow({
    message: 'The disk for uploads is full. Try again later.',
    remedy: `free space in ${tmpdir()}, or set TMPDIR to a directory on a larger disk`,
    cause: error,
  });
}
