import type { Client } from 'pg';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import type { EntityDefinition } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { forEachRows } from './for-each-rows.ts';
import { workSchema } from './work-schema.ts';

interface HistoryRow {
  readonly entity_type: string;
  readonly record_id: string;
  readonly version: number;
  readonly event: Buffer;
}

const stockLogs: ReadonlyMap<string, EntityDefinition['log']> = new Map(
  stockDefinitions.map(({ name, log }) => [name, log]),
);

/**
 * Notes of every event of the history its partition, its writer's token and its number in that writer's sequence, which
 * stand inside its bytes. The table is unlogged: whoever runs the command again makes it anew.
 */
export async function indexHistory(
  client: Client,
  topics: Pick<TopicNames, 'directory' | 'records'>,
  {
    recordPartitions,
    onProgress,
  }: { readonly recordPartitions: number; readonly onProgress: (rows: number) => void },
): Promise<void> {
  await client.query(`create schema if not exists ${workSchema};
    drop table if exists ${workSchema}.entries;
    create unlogged table ${workSchema}.entries (
      topic text not null,
      partition integer not null,
      token text not null,
      sequence bigint not null,
      at bigint not null,
      entity_type text not null,
      record_id text not null,
      version integer not null
    )`);
  const definedTypes = await findDefinedTypes(client);
  // What has no definition, as log-ins and replays, is in the directory.
  const isOfRecords = (type: string) =>
    (stockLogs.get(type) ?? (definedTypes.has(type) ? 'records' : 'directory')) === 'records';
  const placeOf = ({ entity_type: type, record_id: id }: HistoryRow) =>
    isOfRecords(type)
      ? { topic: topics.records, partition: partitionOf(id, recordPartitions) }
      : { topic: topics.directory, partition: 0 };
  await forEachRows<HistoryRow>(
    client,
    `select entity_type, record_id, version, event from ${liveSchema}.record_history`,
    async (rows) => {
      const noted = rows.map((row) => ({ ...row, ...placeOf(row), ...positionOf(row) }));
      await client.query(
        `insert into ${workSchema}.entries
         select * from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::int[])`,
        [
          noted.map(({ topic }) => topic),
          noted.map(({ partition }) => partition),
          noted.map(({ token }) => token),
          noted.map(({ sequence }) => sequence),
          noted.map(({ at }) => at),
          noted.map(({ entity_type: type }) => type),
          noted.map(({ record_id: id }) => id),
          noted.map(({ version }) => version),
        ],
      );
      onProgress(rows.length);
    },
  );
  await client.query(`create index on ${workSchema}.entries (topic, partition, token, sequence);
    create index on ${workSchema}.entries (record_id, entity_type, version);
    analyze ${workSchema}.entries`);
}

/** Names of all types that administrators have ever made, and of shipped ones that they have changed. */
async function findDefinedTypes(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select record_id as name from ${liveSchema}.record_history where entity_type = $1`,
    [entityDefinitionType],
  );
  return new Set(rows.map(({ name }) => name));
}

function positionOf({ entity_type: type, record_id: id, version, event }: HistoryRow) {
  const entry = asKnown(() => decodeLogEntry(event));
  if (entry.kind === 'event') {
    const { token, sequence, occurredAt } = entry.event;
    return { token, sequence, at: occurredAt };
  }
  throw new OperatorError(
    `The history of ${type} ${id} has a version ${version} that is no event: restore a backup.`,
  );
}
