import { join } from 'node:path';
import type { Client } from 'pg';
import { nameSome } from '../../../services/system/doctor/finding.ts';
import { inspectInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import {
  fileSchema,
  liveSchema,
  webhookSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import type { LogFindings } from '../../../shared/installation/assess-log.ts';
import { markLog } from '../../../shared/installation/inspect-log.ts';
import type { KnownMark, Mark } from '../../../shared/installation/mark.ts';
import { forgetMark, storeMark } from '../../../shared/installation/mark-table.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import { findStrayTopics, strayRemedy } from '../../local/kafka/recovery/partition-directory.ts';
import { kafkaLogDirectory } from '../../local/kafka/start-kafka.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
import { requireKafka } from '../require-log.ts';
import { withKafkaForMarks } from '../with-kafka-for-marks.ts';

interface AcceptOptions {
  readonly dropTables?: boolean;
}

/**
 * `annals topics accept`: continues with the current log, even if it lacks entries from the former one. Recreates lost
 * topics, which are then empty, and writes a mark that describes the current log. Processes accept the log when they
 * restart.
 */
export async function acceptLog(
  { installation, printResult, confirm }: CommandContext,
  { dropTables = false }: AcceptOptions,
): Promise<void> {
  await requireKafka(installation);
  const { verdict, findings } = await inspectInstalledLog(installation);
  if (verdict.kind !== 'refused')
    return printResult({ accepted: false }, ['This log is already accepted.']);
  refuseStray(installation);
  if (findings.damage !== undefined) {
    throw new OperatorError(
      `${verdict.says}. A log with missing entries cannot be accepted: ${verdict.remedy}.`,
    );
  }
  if (!dropTables && hasExcessTables(findings)) {
    throw new OperatorError(
      `${verdict.says}. Postgres has entries that this log lacks. With --drop-tables, all tables are dropped and filled again from the log, which loses these entries: back up Postgres first if you need them.`,
    );
  }
  const isUnsealed = precedesSeal(findings);
  const unsealed = isUnsealed ? ` ${unsealedWarning}` : '';
  const tables = dropTables ? ', and drop all tables of Annals to fill them again from it' : '';
  await confirm(`${verdict.says}. Continue with the present log${tables}?${unsealed}`);
  const { generation } = await accept(installation, findings, dropTables);
  printResult({ accepted: true, generation, ...(isUnsealed && { isUnsealed }) }, [
    `The log is accepted as generation ${generation}. Services continue with it.`,
    ...(isUnsealed ? [unsealedWarning] : []),
  ]);
}

const unsealedWarning =
  'This log is older than its seal: entries without an authentication code count in it until you run annals topics seal.';

/** Returns true if the log was sealed according to the mark in Postgres, but the accepted log is not sealed. */
function precedesSeal({ mark, foreignMark, database }: LogFindings): boolean {
  const known = mark ?? foreignMark;
  return database?.mark?.sealed === true && known !== undefined && !known.sealed;
}

/** Rejects stray partitions, because they could not be recovered once new partitions have taken their place. */
function refuseStray({ dataDir }: Installation): void {
  if (dataDir === undefined) return;
  const logDirectory = kafkaLogDirectory(join(dataDir, 'kafka'));
  const stray = findStrayTopics(logDirectory);
  if (stray.length === 0) return;
  throw new OperatorError(
    `Kafka set partitions of ${nameSome(stray)} aside. To restore them, ${strayRemedy}. To continue without them, move the directories that end in -stray out of ${logDirectory}.`,
  );
}

/**
 * Returns true if the tables contain entries that this log lacks. The log and the tables could then never agree again.
 */
function hasExcessTables({ log, mark, database }: LogFindings): boolean {
  if (database === undefined || database.positions.length === 0) return false;
  const known = mark ?? database.mark;
  const isOther = database.mark !== undefined && mark?.generation !== database.mark.generation;
  return (
    (isOther && mark !== undefined) ||
    database.positions.some(
      ({ topic, offset, end }) =>
        end === undefined ||
        offset > end ||
        (known !== undefined && log.topics.get(topic)?.id !== known.topics[topic]?.id),
    )
  );
}

async function accept(
  installation: Installation,
  findings: LogFindings,
  dropsTables: boolean,
): Promise<Mark> {
  const { kafka, topics, log } = installation;
  // The number comes from the mark, or else from the existing records topic, so that recreated topics match it.
  const used = (findings.mark ?? findings.database?.mark)?.topics[topics.records]?.used;
  const found = findings.log.topics.get(topics.records)?.partitions;
  const recordPartitions = used ?? found ?? installation.recordPartitions;
  return withKafkaForMarks(installation, (connection) =>
    withConnection(installation.connect, async (client) => {
      await ensureTopics(kafka, topics, { recordPartitions }, log);
      const known = await nextMark(connection, findings);
      const schemas = dropsTables ? [liveSchema, webhookSchema, fileSchema] : [];
      for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
      if (!dropsTables) await rewind(client, findings);
      await dropOtherReadModels(client);
      const mark = await markLog({ connection, topics, log }, known);
      await forgetMark(client);
      await storeMark(client, mark);
      return mark;
    }),
  );
}

/**
 * Returns the mark of the next generation, without data on topics whose id has changed. If the key was lost, entries up
 * to the current end of each topic are accepted without a check of their codes.
 */
async function nextMark(connection: KafkaConnection, findings: LogFindings): Promise<KnownMark> {
  const { foreignMark, database, log } = findings;
  const known = findings.mark ?? foreignMark ?? database?.mark;
  if (known === undefined) return { sealed: false };
  const isKeyLost = findings.mark === undefined && foreignMark !== undefined;
  const kept = Object.entries(known.topics).filter(
    ([name, { id }]) => log.topics.get(name)?.id === id,
  );
  const ends = isKeyLost ? await endsOf(connection, log) : known.trustedBefore;
  return {
    ...known,
    generation: known.generation + 1,
    revision: Math.max(known.revision, foreignMark?.revision ?? 0, database?.mark?.revision ?? 0),
    topics: Object.fromEntries(kept),
    trustedBefore: Object.fromEntries(
      Object.entries(ends).filter(([name]) => log.topics.has(name)),
    ),
  };
}

async function endsOf(
  connection: KafkaConnection,
  { topics }: LogFindings['log'],
): Promise<Mark['trustedBefore']> {
  const ends: Record<string, readonly string[]> = {};
  for (const [topic, { partitions }] of topics) {
    const found = await readEnds(connection, topic, partitions);
    ends[topic] = found.map(({ offset }) => String(offset));
  }
  return ends;
}

/** Resets the positions of secondary projections in topics that were created again. */
async function rewind(client: Client, { log, mark, database }: LogFindings): Promise<void> {
  const known = (mark ?? database?.mark)?.topics ?? {};
  const recreated = Object.entries(known)
    .filter(([name, { id }]) => log.topics.get(name)?.id !== id)
    .map(([name]) => name);
  for (const schema of [webhookSchema, fileSchema]) {
    if (!(await hasTable(client, `${schema}.positions`))) continue;
    await client.query(`delete from ${schema}.positions where topic = any($1)`, [recreated]);
  }
}
