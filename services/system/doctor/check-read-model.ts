import type { Client } from 'pg';
import { findDamage } from '../../../shared/db/find-damage.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { loadUnfitTypes, rejectedEntries } from '../../../shared/db/quarantine.ts';
import { fileSchema, liveSchema, quotedTable } from '../../../shared/db/tables/read-model-names.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { ObservedLog } from '../../../shared/installation/observed.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { measureLag } from '../../../shared/kafka/measure-lag.ts';
import {
  endOffset,
  type PartitionPosition,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
import { asCause, type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('read model');
const aboutFiles = findingsAbout('files');

/** A longer list would hide the other findings. */
const MAX_NAMED = 20;
const NOTICED_SECONDS = 5;
/** At this lag, the api begins to reject writes with 503. */
const TOO_FAR_SECONDS = 30;

/** An installation with the connections that are open while its contents are checked. */
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
        fault(
          `lacks the tables ${damage.join(', ')}`,
          'start a projector, which rebuilds them from Kafka, or run annals rebuild',
        ),
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

/** Finds positions outside of their partitions: log and tables no longer belong to the same installation. */
async function findOffLog(
  { connection, topics }: OpenInstallation,
  positions: readonly PartitionPosition[],
): Promise<readonly Finding[]> {
  const known = new Set([topics.directory, topics.records]);
  const foreign = new Set(positions.map(({ topic }) => topic)).difference(known);
  if (foreign.size > 0) {
    const says = `belongs to another log: it has positions of ${[...foreign].sort().join(' and ')}`;
    return [fault(says, 'correct ANNALS_TOPIC_PREFIX or DATABASE_URL')];
  }
  const findings: Finding[] = [];
  for (const { topic, partition, offset } of positions) {
    const name = `${topic}/${partition}`;
    if (offset > (await endOffset(connection, topic, partition))) {
      findings.push(
        fault(
          `is ahead of ${name}: Kafka lost acknowledged entries`,
          'restore the log from its replicas or a backup; to continue without them, start with an empty database',
        ),
      );
    } else if (offset < (await startOffset(connection, topic, partition))) {
      findings.push(
        fault(
          `is behind the beginning of ${name}: Kafka deleted entries`,
          'run annals topics repair, and restore the log from a backup',
        ),
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
      : [fault(`cannot continue: the log is ${damage.message}`, damage.remedy)],
  );
  if (stopped.length > 0) return stopped;
  if (missing > 0) return [fault(`has no position for ${counted(missing, 'partition')}`, remedy)];
  if (seconds < NOTICED_SECONDS) return [ok('keeps up with the log')];
  const says = `is ${counted(entries, 'entry')} and ${seconds} s behind the log`;
  return [seconds < TOO_FAR_SECONDS ? warning(says, remedy) : fault(says, remedy)];
}

/**
 * Reports quarantined records, each with its first entry, and entity types without a fitting table. `rejected` is SQL.
 */
async function checkQuarantine(client: Client, rejected: string): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ readonly name: string; readonly reason: string }>(
    `select distinct on (entity_type, record_id) reason,
       entity_type || ' ' || record_id || ' (' || topic || '/' || partition || '/' || log_offset || ')' as name
     from ${rejected} where record_id is not null
     order by entity_type, record_id, topic, partition, log_offset limit ${MAX_NAMED}`,
  );
  const records = rows.map(({ name, reason }) =>
    fault(
      `quarantines ${name}: ${reason}`,
      'run annals rejected retry <entry>, or annals rejected discard <entry>, which restores the state before the entry',
    ),
  );
  const types = [...(await loadUnfitTypes(client))].map(([name, reason]) =>
    fault(
      `has no table that fits the entity type ${name}: ${reason}`,
      'change or remove the definition of the type; its records are quarantined until then',
    ),
  );
  return [...types, ...records];
}

/** Superseded entries of a former owner are expected, and not reported. */
async function checkRejected(client: Client, rejected: string): Promise<Finding> {
  const { rows } = await client.query<{ readonly reason: string; readonly entries: number }>(
    `select reason, count(*)::int as entries from ${rejected}
     where reason <> 'superseded' and record_id is null and not acknowledged
     group by 1 order by entries desc, reason limit ${MAX_NAMED}`,
  );
  if (rows.length === 0) return ok('accepted every entry of the log');
  const counts = rows.map(({ reason, entries }) => `${entries} × ${reason}`);
  return fault(
    `rejected entries: ${counts.join(', ')}`,
    'annals rejected list shows them; see docs/operations/runbook.md, AnnalsRejectedEntries',
  );
}

/** The bytes of a recent file may not be in Postgres yet. */
const UNDER_WAY = "interval '1 minute'";

/** Checks that Postgres has the bytes of every file that is not deleted. */
export async function checkFiles(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ readonly files: number; readonly lacking: number }>(
    `select count(*)::int as files,
       (count(*) filter (where f.size > coalesce(s.bytes, 0)))::int as lacking
     from ${quotedTable(liveSchema, attachmentType)} f
     left join (
       select sha256, sum(octet_length(content)) as bytes from ${fileSchema}.chunks group by 1
     ) s using (sha256)
     where not f.deleted and f.created_at < (now() at time zone 'UTC') - ${UNDER_WAY}`,
  );
  const { files = 0, lacking = 0 } = rows[0] ?? {};
  if (lacking === 0) return aboutFiles.ok(files === 0 ? 'do not exist yet' : 'are complete');
  return aboutFiles.fault(
    `are incomplete: Postgres lacks bytes of ${lacking} of ${files}, and their downloads get a 503`,
    'see the log of the projector, which stores them from Kafka; if it has read everything, restore the log',
  );
}
