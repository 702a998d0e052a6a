import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import avro from 'avsc';

/** An entry of a topic, byte for byte. */
export interface BackedUpEntry {
  readonly offset: number;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, Buffer>>;
}

const entryType = avro.Type.forSchema({
  type: 'record',
  name: 'annals.BackedUpEntry',
  fields: [
    { name: 'offset', type: 'long' },
    { name: 'timestamp', type: 'long' },
    { name: 'key', type: 'string' },
    { name: 'value', type: 'bytes' },
    { name: 'headers', type: { type: 'map', values: 'bytes' } },
  ],
});

const LENGTH_BYTES = 4;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The length of the Avro bytes, then these. */
export function toFrame(entry: BackedUpEntry): Buffer {
  const bytes = entryType.toBuffer(entry);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function packFrames(frames: readonly Buffer[]): Promise<Buffer> {
  return compress(Buffer.concat(frames));
}

/** Only for bytes whose checksum was verified. */
export async function unpackFrames(packed: Buffer): Promise<readonly BackedUpEntry[]> {
  const bytes = await decompress(packed);
  const entries: BackedUpEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    // avsc answers strings and buffers of their own.
    entries.push(entryType.fromBuffer(bytes.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  return entries;
}
