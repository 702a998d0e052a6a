import type { Client } from 'pg';
import { findDamage } from '../../../shared/db/find-damage.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { loadUnfitTypes, rejectedEntries } from '../../../shared/db/quarantine.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { ObservedLog } from '../../../shared/installation/observed.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { measureLag } from '../../../shared/kafka/measure-lag.ts';
import {
  endOffset,
  type PartitionPosition,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
import { asCause, type Finding, findingsAbout, toSentence } from './finding.ts';

const { ok, warning, fault } = findingsAbout('read model');

/** A longer list would hide the other findings. */
const MAX_NAMED = 20;
const NOTICED_SECONDS = 5;
/** At this lag, the api begins to reject writes with 503. */
const TOO_FAR_SECONDS = 30;

/** An installation, and the connections that are open while its contents are checked. */
export interface OpenInstallation extends ObservedLog {
  readonly client: Client;
  readonly connection: KafkaConnection;
  readonly directory: Directory;
}

/** Checks that the tables exist, match the log, and keep up with it. */
export async function checkReadModel(installation: OpenInstallation): Promise<readonly Finding[]> {
  const { client, directory } = installation;
  const damage = await findDamage(client, liveSchema, directory.entities());
  if (damage.length > 0) {
    return [
      asCause(
        fault({
          code: 'readModel.tablesMissing',
          says: `The read model lacks the tables ${damage.join(', ')}.`,
          remedy: 'start a projector, which rebuilds them from Kafka, or run annals rebuild',
          parameters: { tables: damage.join(', ') },
        }),
        ['services', 'files', 'webhooks'],
      ),
    ];
  }
  const positions = await loadPositions(client);
  const off = await findOffLog(installation, positions);
  const rejected = await rejectedEntries(client);
  return [
    ...(off.length > 0 ? off : await checkLag(installation, positions)),
    await checkRejected(client, rejected),
    ...(await checkQuarantine(client, rejected)),
  ];
}

/** Finds positions outside their partitions, which show that the log and the tables do not belong together. */
async function findOffLog(
  { connection, topics }: OpenInstallation,
  positions: readonly PartitionPosition[],
): Promise<readonly Finding[]> {
  const known = new Set([topics.directory, topics.records]);
  const foreign = new Set(positions.map(({ topic }) => topic)).difference(known);
  if (foreign.size > 0) {
    const names = [...foreign].sort();
    return [
      fault({
        code: 'readModel.otherLog',
        says: `The read model belongs to another log: it has positions of ${names.join(' and ')}.`,
        remedy: 'correct ANNALS_TOPIC_PREFIX or DATABASE_URL',
        parameters: { topics: names.join(', ') },
      }),
    ];
  }
  const findings: Finding[] = [];
  for (const { topic, partition, offset } of positions) {
    const name = `${topic}/${partition}`;
    if (offset > (await endOffset(connection, topic, partition))) {
      findings.push(
        fault({
          code: 'readModel.ahead',
          says: `The read model is ahead of ${name}: Kafka lost acknowledged entries.`,
          remedy:
            'restore the log from its replicas or a backup; to continue without them, start with an empty database',
          parameters: { partition: name },
        }),
      );
    } else if (offset < (await startOffset(connection, topic, partition))) {
      findings.push(
        fault({
          code: 'readModel.behindBeginning',
          says: `The read model is behind the beginning of ${name}: Kafka deleted entries.`,
          remedy: 'run annals topics repair, and restore the log from a backup',
          parameters: { partition: name },
        }),
      );
    }
  }
  return findings;
}

async function checkLag(
  { connection, topics }: OpenInstallation,
  positions: readonly PartitionPosition[],
): Promise<readonly Finding[]> {
  const missing = (await connection.partitionsOf(topics.records)) + 1 - positions.length;
  const lags = await measureLag(connection, positions, Date.now());
  const entries = lags.reduce((sum, lag) => sum + lag.entries, 0);
  const seconds = Math.ceil(Math.max(0, ...lags.map((lag) => lag.seconds)));
  const remedy =
    'see annals status and the logs of the projectors; reduce the load of Postgres, or start another projector';
  const stopped = lags.flatMap(({ damage }) =>
    damage?.remedy === undefined
      ? []
      : [
          fault({
            code: 'readModel.stopped',
            says: `The read model cannot continue: the log is ${toSentence(damage.message)}`,
            remedy: damage.remedy,
            parameters: { reason: damage.message },
          }),
        ],
  );
  if (stopped.length > 0) return stopped;
  if (missing > 0) {
    const says = `The read model has no position for ${counted(missing, 'partition')}.`;
    return [fault({ code: 'readModel.noPosition', says, remedy, parameters: { count: missing } })];
  }
  if (seconds < NOTICED_SECONDS) {
    return [ok({ code: 'readModel.current', says: 'The read model keeps up with the log.' })];
  }
  return [
    (seconds < TOO_FAR_SECONDS ? warning : fault)({
      code: 'readModel.behind',
      says: `The read model is ${counted(entries, 'entry')} and ${seconds} s behind the log.`,
      remedy,
      parameters: { count: entries, seconds },
    }),
  ];
}

interface QuarantinedRecord {
  readonly entityType: string;
  readonly recordId: string;
  /** As `{topic}/{partition}/{offset}`. */
  readonly entry: string;
  readonly reason: string;
}

/**
 * Reports quarantined records, each with its first entry, and entity types whose definition Postgres rejects.
 * `rejected` is SQL.
 */
async function checkQuarantine(client: Client, rejected: string): Promise<readonly Finding[]> {
  const { rows } = await client.query<QuarantinedRecord>(
    `select distinct on (entity_type, record_id) reason, entity_type as "entityType",
       record_id as "recordId", topic || '/' || partition || '/' || log_offset as entry
     from ${rejected} where record_id is not null
     order by entity_type, record_id, topic, partition, log_offset limit ${MAX_NAMED}`,
  );
  const records = rows.map(({ entityType, recordId, entry, reason }) =>
    fault({
      code: 'readModel.quarantine',
      says: `The read model quarantines ${entityType} ${recordId} (${entry}): ${toSentence(reason)}`,
      remedy:
        'run annals rejected retry <entry>, or annals rejected discard <entry>, which restores the state before the entry',
      parameters: { entityType, recordId, entry, reason },
      links: [{ kind: 'record', entityType, id: recordId }, { kind: 'rejectedEntries' }],
      remedies: [{ action: 'retryEntry', id: entry, name: entry }],
    }),
  );
  const types = [...(await loadUnfitTypes(client))].map(([name, reason]) =>
    fault({
      code: 'readModel.unfitType',
      says: `The read model has no table that fits the entity type ${name}: ${toSentence(reason)}`,
      remedy: 'change or remove the definition of the type; its records are quarantined until then',
      parameters: { entityType: name, reason },
      links: [{ kind: 'definition', entityType: name }],
    }),
  );
  return [...types, ...records];
}

/** Superseded entries from a former owner are expected and therefore not reported. */
async function checkRejected(client: Client, rejected: string): Promise<Finding> {
  const { rows } = await client.query<{ readonly reason: string; readonly entries: number }>(
    `select reason, count(*)::int as entries from ${rejected}
     where reason <> 'superseded' and record_id is null and not acknowledged
     group by 1 order by entries desc, reason limit ${MAX_NAMED}`,
  );
  if (rows.length === 0) {
    return ok({
      code: 'readModel.acceptedAll',
      says: 'The read model accepted every entry of the log.',
    });
  }
  const counts = rows.map(({ reason, entries }) => `${entries} × ${reason}`).join(', ');
  return fault({
    code: 'readModel.rejected',
    says: `The read model rejected entries: ${toSentence(counts)}`,
    remedy:
      'annals rejected list shows them; see docs/operations/runbook.md, AnnalsRejectedEntries',
    parameters: { counts },
    links: [{ kind: 'rejectedEntries' }],
  });
}
