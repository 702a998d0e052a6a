import type { ClientBase } from 'pg';
import { orUnavailable, orWithoutTable } from '../db/outage-of.ts';
import type { ProjectedPosition } from '../db/positions.ts';
import { liveSchema, quoteName } from '../db/tables/read-model-names.ts';
import { decodeReadable } from '../events/decode-readable.ts';
import { LaterVersion } from '../events/later-version.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import type { KafkaConnection } from '../kafka/connection.ts';
import {
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../kafka/read-partitions.ts';

/** A writer of an earlier version starts with a fence, after which the last entries are all its own. */
const LAST_ENTRIES = 500n;

/**
 * Returns the partitions of a sealed log, as `topic/partition`, whose last entries were written by an earlier version:
 * the entries have no authentication code, but Postgres accepted them, whereas versions with codes reject them. Throws
 * Unavailable.
 */
export async function findFormerWriters(
  connection: KafkaConnection,
  client: ClientBase,
  positions: readonly (ProjectedPosition & { readonly end: bigint | undefined })[],
): Promise<readonly string[]> {
  if (connection.codes === undefined) return [];
  const readable = positions.filter(
    ({ token, offset, end }) => token !== null && offset > 0n && end !== undefined && offset <= end,
  );
  if (readable.length === 0) return [];
  const places = await Promise.all(
    readable.map(async ({ topic, partition, offset }) => {
      // A partition that was rewritten starts at a higher offset.
      const start = await startOffset(connection, topic, partition);
      const from = offset - LAST_ENTRIES;
      return { topic, partition, offset: from > start ? from : start };
    }),
  );
  const former: string[] = [];
  for (const { topic, partition, messages } of await readPartitions(connection, places, liveRead)) {
    const position = readable.find((one) => one.topic === topic && one.partition === partition);
    const [first] = messages;
    if (position === undefined || first === undefined) continue;
    const rejected = await findRejected(client, { topic, partition, offset: first.offset });
    // A foreign writer may use the token of a writer; such entries have been rejected.
    const accepted = messages.filter(
      (message) =>
        message.offset < position.offset &&
        !rejected.has(message.offset) &&
        tokenOf(message) === position.token,
    );
    // An earlier version uses its own token, and no entry with this token has a code.
    const isFormer = accepted.length > 0 && accepted.every(({ proof }) => proof === 'none');
    if (isFormer) former.push(`${topic}/${partition}`);
  }
  return former;
}

/** Returns rejected offsets, starting at the given one. */
async function findRejected(
  client: ClientBase,
  { topic, partition, offset }: PartitionPosition,
): Promise<ReadonlySet<bigint>> {
  const query = client.query<{ log_offset: string }>(
    `select log_offset from ${quoteName(liveSchema)}.rejected_entries
     where topic = $1 and partition = $2 and log_offset >= $3`,
    [topic, partition, offset.toString()],
  );
  const rows = (await orUnavailable(orWithoutTable(query, undefined)))?.rows ?? [];
  return new Set(rows.map((row) => BigInt(row.log_offset)));
}

/** Returns the token of the writer, or undefined if this version cannot read the entry. */
function tokenOf(message: ReadMessage): string | undefined {
  try {
    const entry = decodeReadable(message, decodeLogEntry);
    return entry?.kind === 'fence' ? entry.fence.token : entry?.event.token;
  } catch (error) {
    // Entries of a later version always have codes.
    if (error instanceof LaterVersion) return undefined;
    throw error;
  }
}
