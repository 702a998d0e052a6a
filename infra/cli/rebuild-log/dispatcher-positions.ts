/** Determines and commits the positions from which the dispatcher continues to match events and deliver batches. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  decodeMetadata,
  encodeMetadata,
  noRun,
} from '../../../services/dispatcher/window/run-metadata.ts';
import { hasTable } from '../../../shared/db/find-tables.ts';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { deliveryGroup } from '../../../shared/kafka/topics.ts';
import {
  createTransactor,
  type PositionWithMetadata,
  readGroupPositions,
} from '../../../shared/kafka/transactor.ts';
import type { Installation } from '../installation.ts';
import { readUpTo } from '../partition-entries.ts';
import { offsetAfter, type PartitionPlan } from './plan-partitions.ts';
import { createWorkTable, type Run, workSchema } from './work-schema.ts';

/** A position with metadata, or a projected position from which the metadata is derived. */
export type QueuedPosition = ProjectedPosition | Required<PositionWithMetadata>;

const table = `${workSchema}.queue`;
const queueGroup = ({ topicPrefix }: Installation): string => `${topicPrefix}.queue`;

/** Stores the dispatcher's positions in the records in Postgres while the records topic is rewritten. */
export async function keepQueue({ client, installation }: Run): Promise<void> {
  const { kafka, topics, log } = installation;
  const group = { groupId: queueGroup(installation), topics: [topics.records] };
  const positions = await readGroupPositions(kafka, group, log);
  const columns =
    'partition integer primary key, next_offset bigint not null, metadata text not null';
  await createWorkTable(client, 'queue', columns);
  await client.query(
    `insert into ${table} select * from unnest($1::int[], $2::bigint[], $3::text[])`,
    [
      positions.map(({ partition }) => partition),
      positions.map(({ offset }) => String(offset)),
      positions.map(({ metadata }) => metadata),
    ],
  );
}

/**
 * Returns the position from which the dispatcher continues in a rewritten partition: its last position if the history
 * or the tail contains it, otherwise the projected position (`before` and `after` the rewrite) or the end of the tail.
 */
export async function findQueued(
  { client, kafka }: Pick<Run, 'client' | 'kafka'>,
  plan: PartitionPlan,
  { before, after }: Record<'before' | 'after', ProjectedPosition>,
): Promise<QueuedPosition> {
  if (!(await hasTable(client, table))) return after;
  const { topic, partition } = plan;
  const { rows } = await client.query<{ next_offset: string; metadata: string }>(
    `select next_offset, metadata from ${table} where partition = $1`,
    [partition],
  );
  const [kept] = rows;
  if (kept === undefined) return after;
  const distance = BigInt(kept.next_offset) - before.offset;
  if (distance >= 0n) {
    // Entries of the tail keep their distance from the projected position.
    const offset = after.offset + distance;
    const end = await endOffset(kafka, topic, partition);
    if (offset <= end) return { topic, partition, offset, metadata: kept.metadata };
    return foldTo(kafka, end, after);
  }
  const run = decodeMetadata(kept.metadata);
  const offset = offsetAfter(plan, run);
  if (offset === undefined) return after;
  const position = { ...run, topic, partition, sealed: run.token !== null, offset };
  return { topic, partition, offset, metadata: encodeMetadata(position, run) };
}

/**
 * Returns the position at the end of a partition, with the fold state there. The fold starts at the projected position
 * instead of the dispatcher's own: if part of the tail is lost, the state in the dispatcher's position may belong to a
 * lost entry, and no later fence would ever be valid.
 */
async function foldTo(
  kafka: KafkaConnection,
  end: bigint,
  from: ProjectedPosition,
): Promise<ProjectedPosition> {
  let position = from;
  for await (const read of readUpTo(kafka, { ...from, offset: end }, { start: from.offset })) {
    for (const message of read.messages) {
      position = { ...position, ...takeMessage(position, message).state };
    }
  }
  return { ...position, offset: end };
}

/** Commits positions in the records. All events before them count as matched. */
export async function commitQueue(
  installation: Installation,
  records: readonly QueuedPosition[],
): Promise<void> {
  const queue = records.map((position) => ({
    metadata: 'metadata' in position ? position.metadata : encodeMetadata(position, noRun),
    ...position,
  }));
  await commit(installation, queueGroup(installation), queue);
}

/** Commits positions in the batches. All batches before them count as delivered. */
export async function commitDelivered(
  installation: Installation,
  batches: readonly PartitionPosition[],
): Promise<void> {
  await commit(installation, deliveryGroup(installation.topicPrefix), batches);
}

const COMMIT_WITHIN_MS = 60_000;
const RETRY_AFTER_MS = 500;

/** Retries, because the group coordinators of a new cluster need a moment to start. */
async function commit(
  { kafka, topicPrefix, log }: Installation,
  positionsGroup: string,
  positions: readonly PositionWithMetadata[],
): Promise<void> {
  const deadline = Date.now() + COMMIT_WITHIN_MS;
  const options = { transactionalId: `${topicPrefix}.rebuild-log`, positionsGroup };
  const transactor = createTransactor(kafka, options, log);
  try {
    for (;;) {
      try {
        return await transactor.commit([], positions);
      } catch (error) {
        if (!(error instanceof Unavailable) || Date.now() > deadline) throw error;
        await sleep(RETRY_AFTER_MS);
      }
    }
  } finally {
    await transactor.close();
  }
}
