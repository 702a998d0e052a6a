import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaLogDirectory } from '../../../infra/local/kafka/start-kafka.ts';

/** The size of offset and length, which the length does not include. */
const PREFIX_BYTES = 12;

/**
 * Flips one bit in the middle of a batch, in the segment file of the partition in a broker's data directory.
 * A second call undoes it. Returns the first offset of the batch.
 */
export function flipBit(
  dataDir: string,
  { topic, partition, batch }: { topic: string; partition: number; batch: number },
): bigint {
  const file = join(
    kafkaLogDirectory(join(dataDir, 'kafka')),
    `${topic}-${partition}`,
    '00000000000000000000.log',
  );
  const bytes = readFileSync(file);
  let at = 0;
  for (let index = 0; index < batch; index += 1) at += sizeOfBatch(bytes, at);
  const flipped = at + Math.floor((sizeOfBatch(bytes, at) * 3) / 4);
  // Opened for update, because the broker may be appending to the file.
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.of(bytes.readUInt8(flipped) ^ 1), 0, 1, flipped);
  closeSync(opened);
  return bytes.readBigInt64BE(at);
}

function sizeOfBatch(bytes: Buffer, at: number): number {
  if (at + PREFIX_BYTES > bytes.length) throw new Error('the partition has fewer batches');
  return PREFIX_BYTES + bytes.readInt32BE(at + 8);
}
