import { buffer } from 'node:stream/consumers';
import { getContainerRuntimeClient } from 'testcontainers';
import { readPatchedClass, storageJar } from '../kafka/libraries/patch-broker.ts';

/** Of the header before each file of an archive (POSIX, ustar): the file's length is an octal number in it. */
const HEADER_BYTES = 512;
const LENGTH = { from: 124, to: 135 } as const;

/** The patched class of the Kafka in `image` (docs/adr/0036), read from a container that never runs. */
export async function readClassOfImage(image: string): Promise<Buffer> {
  const { container: containers } = await getContainerRuntimeClient();
  const container = await containers.create({ Image: image });
  try {
    const path = `/opt/kafka/libs/${storageJar}`;
    const archive = await buffer(await containers.fetchArchive(container, path));
    const length = Number.parseInt(archive.toString('latin1', LENGTH.from, LENGTH.to), 8);
    return readPatchedClass(archive.subarray(HEADER_BYTES, HEADER_BYTES + length));
  } finally {
    await containers.remove(container, { removeVolumes: true });
  }
}
