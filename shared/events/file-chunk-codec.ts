import { decodeSingleObject, encodeSingleObject, loadSchema } from './single-object.ts';

/** A piece of the bytes of a file. A file is named by its bytes, so a piece that is written twice is the same piece. */
export interface FileChunk {
  /** Of the whole file, in lower-case hex. */
  readonly sha256: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** Where in the file the piece begins. */
  readonly start: number;
  readonly content: Buffer;
}

const fileChunkV1 = loadSchema('file-chunk.v1');
const known = new Map([[fileChunkV1.fingerprint, fileChunkV1]]);

export function encodeFileChunk(chunk: FileChunk): Buffer {
  return encodeSingleObject(fileChunkV1, chunk);
}

/** Throws UnreadableMessage for bytes that are no chunk of any version ever written. */
export function decodeFileChunk(bytes: Buffer | null): FileChunk {
  const { sha256, size, start, content } = decodeSingleObject(known, bytes).value as FileChunk;
  return { sha256, size, start, content };
}
