import { UnreadableMessage } from '../domain/errors.ts';
import { baselineVersions, type SchemaVersions } from './schema-versions.ts';
import { decodeSingleObject, encodeSingleObject } from './single-object.ts';

/** A chunk of a file. Files are named by the hash of their bytes, so writing a chunk again is harmless. */
export interface FileChunk {
  /** Hash of the whole file, in lower-case hex. */
  readonly sha256: string;
  /** Size of the whole file, in bytes. */
  readonly size: number;
  /** Offset of the chunk in the file. */
  readonly start: number;
  readonly content: Buffer;
}

const isSha256 = /^[0-9a-f]{64}$/;

export function encodeFileChunk(
  chunk: FileChunk,
  write: SchemaVersions = baselineVersions,
): Buffer {
  return encodeSingleObject('file-chunk', chunk, write);
}

/** Throws UnreadableMessage for bytes that no version ever wrote. */
export function decodeFileChunk(bytes: Buffer | null): FileChunk {
  const { value } = decodeSingleObject(bytes, 'file-chunk');
  const { sha256, size, start, content } = value as FileChunk;
  if (!isSha256.test(sha256)) throw new UnreadableMessage('invalid sha256');
  if (start < 0 || start + content.length > size) {
    throw new UnreadableMessage('chunk exceeds the size of its file');
  }
  return { sha256, size, start, content };
}
