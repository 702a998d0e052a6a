import type { Client, ClientBase } from 'pg';
import type { Logger } from 'pino';
import { orUnavailable, orWithoutTable } from '../db/outage-of.ts';
import type { ProjectedPosition } from '../db/positions.ts';
import { liveSchema, quoteName } from '../db/tables/read-model-names.ts';
import { decodeReadable } from '../events/decode-readable.ts';
import { LaterVersion } from '../events/later-version.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import type { KafkaConnection } from '../kafka/connection.ts';
import { type FoundLog, readCluster } from '../kafka/read-cluster.ts';
import {
  endOffset,
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../kafka/read-partitions.ts';
import { firstTopics, type TopicNames, wantedTopics } from '../kafka/topics.ts';
import { assessLog, type LogFindings, type LogVerdict, type PositionInLog } from './assess-log.ts';
import { findLogDamage } from './find-log-damage.ts';
import { type KnownMark, type Mark, toMark } from './mark.ts';
import { readMarkedDatabase } from './mark-table.ts';
import { appendMark, type FoundMarks, readMarks } from './mark-topic.ts';

export interface LogInspection {
  readonly findings: LogFindings;
  readonly verdict: LogVerdict;
}

/** Inspects Kafka, and Postgres if a connection is given, and evaluates the findings. Throws Unavailable. */
export async function inspectLog(
  connection: KafkaConnection,
  topics: TopicNames,
  client: Client | undefined,
): Promise<LogInspection> {
  const log = await readLog(connection, topics);
  const marks: Partial<FoundMarks> = log.topics.has(topics.installation)
    ? await readMarks(connection, topics.installation)
    : {};
  const stored = client === undefined ? undefined : await readMarkedDatabase(client);
  const positions = await withEnds(connection, log, stored?.positions ?? []);
  const mark = marks.mark ?? stored?.mark;
  const damage = await findLogDamage(connection, { log, topics, mark });
  const isSealed = damage === undefined && marks.mark?.sealed === true;
  const formerWriters =
    isSealed && client !== undefined ? await findFormerWriters(connection, client, positions) : [];
  const findings: LogFindings = {
    log,
    wanted: wantedNames(topics),
    essential: firstTopics(topics),
    mark: marks.mark,
    foreignMark: marks.foreign,
    damage,
    database: stored && { mark: stored.mark, positions, formerWriters },
  };
  return { findings, verdict: assessLog(findings) };
}

/** Throws Unavailable. */
export function readLog(connection: KafkaConnection, topics: TopicNames): Promise<FoundLog> {
  return readCluster(connection, wantedNames(topics));
}

function wantedNames(topics: TopicNames): readonly string[] {
  return wantedTopics(topics, { recordPartitions: 1 }, 1).map(({ topic }) => topic);
}

async function withEnds(
  connection: KafkaConnection,
  log: FoundLog,
  positions: readonly ProjectedPosition[],
): Promise<readonly (ProjectedPosition & PositionInLog)[]> {
  return Promise.all(
    positions.map(async (position) => {
      const { topic, partition } = position;
      const isThere = partition < (log.topics.get(topic)?.partitions ?? 0);
      const end = isThere ? await endOffset(connection, topic, partition) : undefined;
      return { ...position, end };
    }),
  );
}

/** Enough to detect such a writer: it starts with a fence, so all of the last entries come from it. */
const LAST_ENTRIES = 500n;

/**
 * Returns the partitions of a sealed log, as `topic/partition`, whose last entries were written by an earlier version:
 * the entries have no authentication code, but Postgres accepted them, whereas versions with codes reject them. Throws
 * Unavailable.
 */
async function findFormerWriters(
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
    // A foreign writer may use another writer's token; such entries have been rejected.
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
    // Entries from a later version always have codes.
    if (error instanceof LaterVersion) return undefined;
    throw error;
  }
}

/**
 * Appends a mark for the current state of the log, based on the known mark. The caller must read the topic again to see
 * whether the mark counts, because another process may have been first. Throws Unavailable.
 */
export async function markLog(
  { connection, topics, log }: { connection: KafkaConnection; topics: TopicNames; log: Logger },
  known: KnownMark,
): Promise<Mark> {
  const mark = toMark(await readLog(connection, topics), known);
  await appendMark(connection, topics.installation, mark);
  const { installationId, generation, revision, clusterId, sealed } = mark;
  log.info({ installationId, generation, revision, clusterId, sealed }, 'log marked');
  return mark;
}
