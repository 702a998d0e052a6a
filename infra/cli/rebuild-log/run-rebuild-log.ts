/**
 * Writes the topics anew from Postgres (docs/adr/0037).
 *
 *   lost ──topics, entries, positions of the dispatcher──▶ whole ──mark in Kafka──▶ written ──mark in Postgres──▶ done
 *
 * A run that ends before the mark stands in Kafka is done anew from the beginning, and until then no service takes the
 * log. One that ends after it only finishes Postgres.
 */
import type { Client } from 'pg';
import { nameSome } from '../../../services/operations/doctor/name-some.ts';
import { lookAtInstalledLog } from '../../../services/operations/installation/judge-installed-log.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import type { LookedAt } from '../../../shared/installation/look-at-log.ts';
import type { KnownMark, Mark } from '../../../shared/installation/mark.ts';
import { markLog } from '../../../shared/installation/mark-log.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import type { AloneContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { countDone } from '../progress.ts';
import { withKafkaForMarks } from '../with-kafka-for-marks.ts';
import { clearTopics, topicsWithEntries } from './clear-topics.ts';
import { commitPositions } from './commit-positions.ts';
import { requireWholeHistory, untraceable } from './find-missing.ts';
import { finishDatabase } from './finish-database.ts';
import { indexHistory } from './index-history.ts';
import { judgeLoss } from './judge-loss.ts';
import { type PartitionPlan, planPartitions } from './plan-partitions.ts';
import { countLeftOut, findUnfinishedRun, lockRun, noteRun } from './work-schema.ts';
import { writeFiles } from './write-files.ts';
import { writePartition } from './write-partition.ts';
import { type WrittenWebhooks, writeWebhooks } from './write-webhooks.ts';

export interface RebuildLogOptions extends Pick<AloneContext, 'confirm' | 'progress'> {
  readonly isDryRun: boolean;
  /** Ids of records to leave out, or `unknown`. */
  readonly without: ReadonlySet<string>;
}

export interface RebuiltLog {
  readonly generation: number | undefined;
  readonly events: number;
  /** Events in Postgres of records that were left out. */
  readonly leftOut: number;
  /** Entries of the lost log that did not count, such as those of former owners: fences stand in their places. */
  readonly filled: number;
  readonly rejected: number;
  readonly files: number;
  readonly webhooks: Omit<WrittenWebhooks, 'positions'>;
}

interface Run {
  readonly installation: Installation;
  readonly client: Client;
  readonly kafka: KafkaConnection;
  readonly options: RebuildLogOptions;
}

/** Throws OperatorError if the log is not lost, or cannot be written. */
export async function runRebuildLog(
  installation: Installation,
  options: RebuildLogOptions,
): Promise<RebuiltLog> {
  return withKafkaForMarks(installation, (kafka) =>
    withConnection(installation.connect, async (client) => {
      await lockRun(client);
      return decide({ installation, client, kafka, options });
    }),
  );
}

async function decide(run: Run): Promise<RebuiltLog> {
  const { installation, client, kafka, options } = run;
  const looked = await lookAtInstalledLog(installation);
  const { log } = looked.findings;
  const isUnfinished = (await findUnfinishedRun(client)) === log.clusterId;
  const hasEntries = isUnfinished ? [] : await topicsWithEntries(kafka, installation);
  const written = judgeLoss(looked, { hasEntries, isUnfinished });
  if (written !== undefined) return finish(run, written);
  const plans = await plan(run, looked);
  const planned = { ...nothingWritten, ...(await describePlans(client, plans)) };
  if (options.isDryRun) return planned;
  await options.confirm(
    `The log is lost. Write it anew into this Kafka from the ${planned.events} events in Postgres${describeLeftOut(options)}?`,
  );
  await noteRun(client, log.clusterId, { leavesOut: options.without.size > 0 });
  await clearTopics(kafka, installation);
  const counts = await writeTopics(run, plans, partitionsOf(installation, looked));
  const next = await markLog({ connection: kafka, ...installation }, nextMark(looked));
  await finish(run, next);
  return { ...planned, ...counts, generation: next.generation };
}

function describeLeftOut({ without }: RebuildLogOptions): string {
  if (without.size === 0) return '';
  return `, without ${nameSome([...without])}, and drop all tables of Annals, to fill them again from it`;
}

const nothingWritten = {
  generation: undefined,
  files: 0,
  webhooks: { batches: 0, waiting: 0, attempts: 0 },
};

async function plan(
  { installation, client, options }: Run,
  looked: LookedAt,
): Promise<readonly PartitionPlan[]> {
  const shown = options.progress('Reading the history');
  const { rows } = await client.query<{ total: string }>(
    `select count(*) as total from ${liveSchema}.record_history`,
  );
  const total = Number(rows[0]?.total);
  const { without } = options;
  const entityTypes = await indexHistory(client, installation.topics, {
    recordPartitions: partitionsOf(installation, looked),
    without,
    onProgress: countDone(shown, total),
  });
  shown.finish();
  const explained = await requireWholeHistory(client, { entityTypes, without });
  const positions = await loadPositions(client);
  return planPartitions(client, positions, without.has(untraceable) ? undefined : explained);
}

/** As many as the lost topic had: the partition of a record follows from its id and this number. */
function partitionsOf({ topics }: Installation, { findings: { database } }: LookedAt): number {
  const known = database?.mark?.topics[topics.records]?.used;
  const positions = database?.positions.filter(({ topic }) => topic === topics.records) ?? [];
  return known ?? positions.length;
}

async function describePlans(client: Client, plans: readonly PartitionPlan[]) {
  const { rows } = await client.query<{ rejected: number }>(
    `select count(*)::int as rejected from ${liveSchema}.rejected_entries`,
  );
  return {
    events: plans.reduce((sum, { epochs }) => sum + countEvents(epochs), 0),
    filled: plans.reduce((sum, { filling }) => sum + filling, 0),
    rejected: rows[0]?.rejected ?? 0,
    leftOut: await countLeftOut(client),
  };
}

const countEvents = (epochs: PartitionPlan['epochs']): number =>
  epochs.reduce((sum, { events }) => sum + events, 0);

async function writeTopics(
  { installation, client, kafka, options }: Run,
  plans: readonly PartitionPlan[],
  recordPartitions: number,
): Promise<Pick<RebuiltLog, 'files' | 'webhooks'>> {
  const { topics, log } = installation;
  await ensureTopics(installation.kafka, topics, { recordPartitions }, log);
  const shown = options.progress('Writing the log');
  const total = plans.reduce(
    (sum, { epochs, filling }) => sum + countEvents(epochs) + epochs.length + filling,
    0,
  );
  const onProgress = countDone(shown, total);
  for (const each of plans) await writePartition({ client, kafka }, each, onProgress);
  shown.finish();
  const files = await writeFiles({ client, kafka }, topics.files);
  const { positions: batches, ...webhooks } = await writeWebhooks({ client, kafka, topics });
  const records = (await loadPositions(client)).filter(({ topic }) => topic === topics.records);
  const sealed = records.map((position) => ({ ...position, sealed: position.token !== null }));
  await commitPositions(installation, { records: sealed, batches });
  return { files, webhooks };
}

function nextMark({ findings: { database } }: LookedAt): KnownMark {
  const known = database?.mark;
  if (known === undefined) return { sealed: true };
  return { ...known, generation: known.generation + 1, sealed: true, trustedBefore: {} };
}

async function finish({ installation, client, kafka }: Run, mark: Mark) {
  await finishDatabase({ client, kafka, topics: installation.topics }, mark);
  return {
    ...nothingWritten,
    events: 0,
    leftOut: 0,
    filled: 0,
    rejected: 0,
    generation: mark.generation,
  };
}
