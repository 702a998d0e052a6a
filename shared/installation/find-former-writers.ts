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

/** A writer of an earlier version begins with a fence, after which all of its entries are the last ones. */
const LAST_ENTRIES = 500n;

/**
 * Partitions of a sealed log whose last entries an earlier version wrote, as `topic/partition`: they carry no
 * authentication code, and Postgres has accepted them, whereas a version that knows codes rejects them. Throws
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
      // A partition that was written again begins later.
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
    // A stranger may use the token of a writer: such entries are rejected.
    const accepted = messages.filter(
      (message) =>
        message.offset < position.offset &&
        !rejected.has(message.offset) &&
        tokenOf(message) === position.token,
    );
    // An earlier version uses its own token, and none of the entries with this token has a code.
    const isFormer = accepted.length > 0 && accepted.every(({ proof }) => proof === 'none');
    if (isFormer) former.push(`${topic}/${partition}`);
  }
  return former;
}

/** Offsets from the given one on. */
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

/** The token of the writer, if this version can read the entry. */
function tokenOf(message: ReadMessage): string | undefined {
  try {
    const entry = decodeReadable(message, decodeLogEntry);
    return entry?.kind === 'fence' ? entry.fence.token : entry?.event.token;
  } catch (error) {
    // Entries of a later version have codes.
    if (error instanceof LaterVersion) return undefined;
    throw error;
  }
}
