import type { ProjectedPosition } from '../db/positions.ts';
import { decodeReadable } from '../events/decode-readable.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import type { KafkaConnection } from '../kafka/connection.ts';
import { liveRead, readPartitions, startOffset } from '../kafka/read-partitions.ts';

/** A writer of an earlier version begins with a fence, after which all of its entries are the last ones. */
const LAST_ENTRIES = 500n;

/**
 * Partitions of a sealed log whose last entries an earlier version wrote, as `topic/partition`: they carry no
 * authentication code, and Postgres has taken them, which a version that knows codes never does. Throws Unavailable.
 */
export async function findFormerWriters(
  connection: KafkaConnection,
  positions: readonly (ProjectedPosition & { readonly end: bigint | undefined })[],
): Promise<readonly string[]> {
  if (connection.codes === undefined) return [];
  const readable = positions.filter(
    ({ token, offset, end }) => token !== null && offset > 0n && end !== undefined && offset <= end,
  );
  if (readable.length === 0) return [];
  const places = await Promise.all(
    readable.map(async ({ topic, partition, offset }) => {
      // A partition that was written again begins later.
      const start = await startOffset(connection, topic, partition);
      const from = offset - LAST_ENTRIES;
      return { topic, partition, offset: from > start ? from : start };
    }),
  );
  const found = await readPartitions(connection, places, liveRead);
  return readable.flatMap(({ topic, partition, token, offset }) => {
    const read = found.find((one) => one.topic === topic && one.partition === partition);
    const ofToken = (read?.messages ?? []).filter((message) => {
      if (message.offset >= offset) return false;
      const entry = decodeReadable(message, decodeLogEntry);
      return token === (entry?.kind === 'fence' ? entry.fence.token : entry?.event.token);
    });
    // A stranger may use the token of a writer. An earlier version uses one of its own, of which no entry has a code.
    const isFormer = ofToken.length > 0 && ofToken.every(({ proof }) => proof === 'none');
    return isFormer ? [`${topic}/${partition}`] : [];
  });
}
