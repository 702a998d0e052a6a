import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import {
  type BackupEntry,
  decodeBackupEntry,
  encodeBackupEntry,
} from '../../../shared/events/backup-entry-codec.ts';

const LENGTH_BYTES = 4;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Encodes the length of the Avro bytes, then these bytes. */
export function toFrame(entry: BackupEntry): Buffer {
  const bytes = encodeBackupEntry(entry);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function packFrames(frames: readonly Buffer[]): Promise<Buffer> {
  return compress(Buffer.concat(frames));
}

/** Only for bytes whose checksum was verified. */
export async function unpackFrames(packed: Buffer): Promise<readonly BackupEntry[]> {
  const bytes = await decompress(packed);
  const entries: BackupEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    entries.push(decodeBackupEntry(bytes.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  return entries;
}
