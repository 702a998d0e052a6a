/** Keeps the dispatcher's positions in the records in Postgres while their topic is rewritten. */
import type { Client } from 'pg';
import {
  decodeMetadata,
  encodeMetadata,
} from '../../../services/dispatcher/window/run-metadata.ts';
import { hasTable } from '../../../shared/db/find-tables.ts';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { type PositionWithMetadata, readGroupPositions } from '../../../shared/kafka/transactor.ts';
import type { Installation } from '../installation.ts';
import { offsetAfter, type PartitionPlan } from './plan-partitions.ts';
import { workSchema } from './work-schema.ts';

const table = `${workSchema}.queue`;

export function queueGroup({ topicPrefix }: Pick<Installation, 'topicPrefix'>): string {
  return `${topicPrefix}.queue`;
}

export async function keepQueue(client: Client, installation: Installation): Promise<void> {
  const { kafka, topics, log } = installation;
  const group = { groupId: queueGroup(installation), topics: [topics.records] };
  const positions = await readGroupPositions(kafka, group, log);
  await client.query(`create schema if not exists ${workSchema};
    drop table if exists ${table};
    create table ${table} (partition integer primary key, next_offset bigint not null, metadata text not null)`);
  await client.query(
    `insert into ${table} select * from unnest($1::int[], $2::bigint[], $3::text[])`,
    [
      positions.map(({ partition }) => partition),
      positions.map(({ offset }) => String(offset)),
      positions.map(({ metadata }) => metadata),
    ],
  );
}

/** Returns undefined if the dispatcher had no position, or one that the history does not know. */
export async function findKeptQueue(
  client: Client,
  plan: PartitionPlan,
  { before, after }: Record<'before' | 'after', ProjectedPosition>,
): Promise<Required<PositionWithMetadata> | undefined> {
  if (!(await hasTable(client, table))) return undefined;
  const { rows } = await client.query<{ next_offset: string; metadata: string }>(
    `select next_offset, metadata from ${table} where partition = $1`,
    [plan.partition],
  );
  const [kept] = rows;
  if (kept === undefined) return undefined;
  const { topic, partition } = plan;
  const offset = BigInt(kept.next_offset);
  // Entries of the tail keep their distance from the projected position.
  if (offset >= before.offset)
    return {
      topic,
      partition,
      offset: after.offset + offset - before.offset,
      metadata: kept.metadata,
    };
  const run = decodeMetadata(kept.metadata);
  const found = offsetAfter(plan, run);
  if (found === undefined) return undefined;
  const position = { ...run, topic, partition, sealed: run.token !== null, offset: found };
  return { topic, partition, offset: found, metadata: encodeMetadata(position, run) };
}
