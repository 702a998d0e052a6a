import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { kafkaVersion } from '../../../prerequisites.mjs';
import { retargetCatch } from './class-file.ts';

export const storageJar = `kafka-storage-${kafkaVersion}.jar`;
/** Its path in the jar, and below a directory of the class path. */
export const patchedClass = 'org/apache/kafka/storage/internals/log/LogLoader.class';

/**
 * A broker that was not stopped in order reads its newest segments anew when it starts. Kafka 4.0 to 4.3 delete such a
 * segment, with every acknowledged entry in it, when that meets any error of the disk: a full one is enough, since the
 * state of producers is written down then. Patched, the error ends the broker, and the next start reads the segment
 * again (docs/adr/0036). Segments with offsets in disorder are deleted as before.
 */
export function patchBroker(directory: string): void {
  const jar = join(directory, storageJar);
  const files = unzipSync(readFileSync(jar));
  writeFileSync(jar, zipSync({ ...files, [patchedClass]: patchClass(files) }));
}

/** The class out of the bytes of Kafka's own `storageJar`: on the class path before the jar, it takes the place of that. */
export const readPatchedClass = (jar: Uint8Array): Buffer => patchClass(unzipSync(jar));

function patchClass(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const original = files[patchedClass];
  if (original === undefined) throw new Error(`${storageJar} has no ${patchedClass}`);
  return retargetCatch(original, {
    method: 'recoverLog',
    caught: 'java/io/IOException',
    instead: 'org/apache/kafka/common/errors/InvalidOffsetException',
  });
}
