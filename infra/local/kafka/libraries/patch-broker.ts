import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { kafkaVersion } from '../../../prerequisites.mjs';
import { retargetCatch } from './class-file.ts';

const logLoader = 'org/apache/kafka/storage/internals/log/LogLoader.class';

/**
 * A broker that was not stopped in order reads its newest segments anew when it starts. Kafka 4.0 to 4.3 delete such a
 * segment, with every acknowledged entry in it, when that meets any error of the disk: a full one is enough, since the
 * state of producers is written down then. Patched, the error ends the broker, and the next start reads the segment
 * again (docs/adr/0036). Segments with offsets in disorder are deleted as before.
 */
export function patchBroker(directory: string): void {
  const jar = join(directory, `kafka-storage-${kafkaVersion}.jar`);
  const files = unzipSync(readFileSync(jar));
  const original = files[logLoader];
  if (original === undefined) throw new Error(`${jar} has no ${logLoader}`);
  const patched = retargetCatch(original, {
    method: 'recoverLog',
    caught: 'java/io/IOException',
    instead: 'org/apache/kafka/common/errors/InvalidOffsetException',
  });
  writeFileSync(jar, zipSync({ ...files, [logLoader]: patched }));
}
