import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { kafkaVersion } from '../prerequisites.mjs';
import { retargetCatch, rethrowAs } from './class-file.ts';

export const storageJar = `kafka-storage-${kafkaVersion}.jar`;

/** Patches by the path of the class in the jar, which is also its path in a directory on the class path. */
const patches: Readonly<Record<string, (original: Uint8Array) => Buffer>> = {
  /**
   * After an unclean shutdown, a broker recovers its newest segments when it starts. Kafka 4.0 to 4.3 delete such a
   * segment, with every acknowledged entry in it, on any disk error during the recovery. A full disk is enough, because
   * the recovery writes producer state. With the patch, the error stops the broker, and the next start recovers the
   * segment again (docs/adr/0036). Segments with unordered offsets are deleted as before.
   */
  'org/apache/kafka/storage/internals/log/LogLoader.class': (original) =>
    retargetCatch(original, {
      method: 'recoverLog',
      caught: 'java/io/IOException',
      instead: 'org/apache/kafka/common/errors/InvalidOffsetException',
    }),
  /**
   * Indexes are sparse, memory-mapped files. On a full disk, a write into a hole raises an InternalError, which Kafka
   * treats as a bug in the request, although the entry is already in the segment. The next entry then gets the same
   * offset. With the patch, it becomes a disk error, which stops the broker.
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
 * Takes the bytes of Kafka's own `storageJar`, and returns the patched classes by path. Placed before the jar on the
 * class path, they override its classes.
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
