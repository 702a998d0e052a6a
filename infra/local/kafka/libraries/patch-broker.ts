import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { kafkaVersion } from '../../../prerequisites.mjs';
import { retargetCatch, rethrowAs } from './class-file.ts';

export const storageJar = `kafka-storage-${kafkaVersion}.jar`;

/** By the path in the jar, and below a directory of the class path. */
const patches: Readonly<Record<string, (original: Uint8Array) => Buffer>> = {
  /**
   * A broker that was not stopped in order reads its newest segments anew when it starts. Kafka 4.0 to 4.3 delete such a
   * segment, with every acknowledged entry in it, when that meets any error of the disk: a full one is enough, since the
   * state of producers is written down then. Patched, the error ends the broker, and the next start reads the segment
   * again (docs/adr/0036). Segments with offsets in disorder are deleted as before.
   */
  'org/apache/kafka/storage/internals/log/LogLoader.class': (original) =>
    retargetCatch(original, {
      method: 'recoverLog',
      caught: 'java/io/IOException',
      instead: 'org/apache/kafka/common/errors/InvalidOffsetException',
    }),
  /**
   * Indexes are files with holes that are mapped into memory. On a full disk a write into a hole is an InternalError,
   * which Kafka takes for a bug of the request: the entry is in the segment by then, and the next one gets the same
   * offset. Patched, it is an error of the disk, which ends the broker.
   */
  'org/apache/kafka/storage/internals/log/AbstractIndex.class': (original) =>
    rethrowAs(original, {
      method: 'inLock',
      descriptor: '(Lorg/apache/kafka/server/util/LockUtils$ThrowingRunnable;)V',
      caught: 'java/lang/InternalError',
      instead: 'java/io/IOException',
    }),
};

export function patchBroker(directory: string): void {
  const path = join(directory, storageJar);
  const jar = readFileSync(path);
  writeFileSync(
    path,
    zipSync({ ...unzipSync(jar), ...Object.fromEntries(readPatchedClasses(jar)) }),
  );
}

/**
 * The patched classes out of the bytes of Kafka's own `storageJar`, by path: on the class path before the jar, they take
 * the place of its own.
 */
export function readPatchedClasses(jar: Uint8Array): ReadonlyMap<string, Buffer> {
  const files = unzipSync(jar);
  return new Map(
    Object.entries(patches).map(([path, patch]) => {
      const original = files[path];
      if (original === undefined) throw new Error(`${storageJar} has no ${path}`);
      return [path, patch(original)];
    }),
  );
}
