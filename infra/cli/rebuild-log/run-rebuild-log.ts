/**
 * Rewrites the topics from Postgres (docs/adr/0037).
 *
 *   lost ──topics, entries, positions of the dispatcher──▶ whole ──mark in Kafka──▶ written ──mark in Postgres──▶ done
 *
 * A run that ends before the mark is in Kafka is repeated from the beginning, and until then no service uses the log.
 * One that ends later only finishes Postgres.
 *
 * A damaged log is replaced in the same way (docs/adr/0044), after two more steps before the topics are deleted: a
 * mark stops all services, and entries that Postgres lacks are kept in it.
 */
import type { Client } from 'pg';
import { nameSome } from '../../../services/system/doctor/name-some.ts';
import { lookAtInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { assessDamage } from '../../../shared/installation/assess-log.ts';
import { type LogInspection, markLog } from '../../../shared/installation/inspect-log.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import type { KnownMark, Mark } from '../../../shared/installation/mark.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import type { AloneContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { countDone } from '../progress.ts';
import { withKafkaForMarks } from '../with-kafka-for-marks.ts';
import { clearTopics, topicsWithEntries } from './clear-topics.ts';
import { commitPositions, type QueuedPosition } from './commit-positions.ts';
import { requireWholeHistory, untraceable } from './find-missing.ts';
import { findWrittenMark } from './find-written-mark.ts';
import { finishDatabase, loadFilePositions } from './finish-database.ts';
import { indexHistory } from './index-history.ts';
import { findKeptQueue, keepQueue } from './kept-queue.ts';
import {
  areSame,
  countEntries,
  countEvents,
  type PartitionPlan,
  planPartitions,
} from './plan-partitions.ts';
import { scanLog } from './scan-log.ts';
import { stopServices } from './stop-services.ts';
import { keepTails, writeTail } from './tail.ts';
import {
  countLeftOut,
  findUnfinishedRun,
  lockRun,
  recordRun,
  refuseUnfinishedPartition,
} from './work-schema.ts';
import { writeFiles } from './write-files.ts';
import { writePartition } from './write-partition.ts';
import { type WrittenWebhooks, writeWebhooks } from './write-webhooks.ts';

export interface RebuildLogOptions extends Pick<AloneContext, 'confirm' | 'progress'> {
  readonly isDryRun: boolean;
  /** Ids of records to exclude, or `unknown`. */
  readonly without: ReadonlySet<string>;
  /** Whether an existing, damaged log may be replaced. */
  readonly isReplacing: boolean;
}

export interface RebuiltLog {
  readonly generation: number | undefined;
  readonly events: number;
  /** Events in Postgres of excluded records. */
  readonly leftOut: number;
  /** Entries of the lost log that did not count, such as those of former owners; they are replaced by fences. */
  readonly filled: number;
  readonly rejected: number;
  /** Entries that the damaged log still had but Postgres did not. */
  readonly kept: number;
  /** Why other such entries could not be kept. */
  readonly lost: readonly string[];
  readonly files: number;
  readonly webhooks: Omit<WrittenWebhooks, 'positions'>;
}

interface Run {
  readonly installation: Installation;
  readonly client: Client;
  readonly kafka: KafkaConnection;
  readonly options: RebuildLogOptions;
}

/** Throws OperatorError if the log is neither lost nor to be replaced, or cannot be written. */
export async function runRebuildLog(
  installation: Installation,
  options: RebuildLogOptions,
): Promise<RebuiltLog> {
  return withKafkaForMarks(installation, (kafka) =>
    withConnection(installation.connect, async (client) => {
      await lockRun(client);
      await refuseUnfinishedPartition(client);
      return decide({ installation, client, kafka, options });
    }),
  );
}

async function decide(run: Run): Promise<RebuiltLog> {
  const { installation, client, kafka, options } = run;
  const { isReplacing } = options;
  const found = await lookAtInstalledLog(installation);
  const { log } = found.findings;
  const isUnfinished = (await findUnfinishedRun(client)) === log.clusterId;
  const looked = isReplacing && !isUnfinished ? await lookForDamage(run, found) : found;
  const hasEntries = isUnfinished ? [] : await topicsWithEntries(kafka, installation);
  const written = findWrittenMark(looked, { hasEntries, isUnfinished, isReplacing });
  if (written !== undefined) return finish(run, written);
  const planned = await plan(run, looked);
  const described = { ...nothingWritten, ...(await describePlans(client, planned.plans)) };
  if (options.isDryRun) return described;
  await options.confirm(describeConfirmation(looked, described.events, options));
  const lost = isReplacing && !isUnfinished ? await keepRest(run, looked) : [];
  if (!isUnfinished)
    await recordRun(client, log.clusterId, { leavesOut: options.without.size > 0 });
  // A projector may have stored more before it stopped.
  const { plans } = isReplacing ? await planAgain(run, looked, planned) : planned;
  await clearTopics(kafka, installation);
  const counts = await writeTopics(run, plans, partitionsOf(installation, looked));
  const next = await markLog({ connection: kafka, ...installation }, nextMark(looked));
  await finish(run, next);
  return { ...described, lost, ...counts, generation: next.generation };
}

/** Gaps are found by reading: a log that appears complete is read to its end. */
async function lookForDamage(
  { installation, options }: Run,
  looked: LogInspection,
): Promise<LogInspection> {
  if (looked.verdict.kind !== 'known') return looked;
  const kafka = await toLogAddress(installation);
  const damage = await withKafka({ ...installation, kafka }, (connection) =>
    scanLog(connection, installation, {
      partition: undefined,
      shown: options.progress('Reading the log'),
    }),
  );
  return { ...looked, verdict: assessDamage(damage) ?? looked.verdict };
}

function describeConfirmation(
  { verdict }: LogInspection,
  events: number,
  options: RebuildLogOptions,
): string {
  const leftOut = describeLeftOut(options);
  if (!options.isReplacing)
    return `The log is lost. Rewrite it in this Kafka from the ${events} events in Postgres${leftOut}?`;
  const says = verdict.kind === 'refused' ? `${verdict.says}. ` : '';
  return `${says}Delete all topics of this log, and rewrite them from the ${events} events in Postgres${leftOut}?`;
}

/** Keeps entries that only the damaged log has. Returns the reasons why some of them could not be kept. */
async function keepRest(run: Run, looked: LogInspection): Promise<readonly string[]> {
  const { installation, client } = run;
  await stopServices(run, looked);
  const present = new Set(looked.findings.log.topics.keys());
  const positions = [...(await loadPositions(client)), ...(await loadFilePositions(client))].filter(
    ({ topic }) => present.has(topic),
  );
  const kafka = await toLogAddress(installation);
  return withKafka({ ...installation, kafka }, async (connection) => {
    if (present.has(installation.topics.records)) await keepQueue(client, installation);
    return keepTails({ client, kafka: connection }, positions);
  });
}

function describeLeftOut({ without }: RebuildLogOptions): string {
  if (without.size === 0) return '';
  return `, without ${nameSome([...without])}, and drop all tables of Annals to fill them again from it`;
}

const nothingWritten = {
  generation: undefined,
  kept: 0,
  lost: [],
  files: 0,
  webhooks: { batches: 0, waiting: 0, attempts: 0 },
};

interface Planned {
  readonly plans: readonly PartitionPlan[];
  readonly positions: readonly ProjectedPosition[];
}

async function planAgain(run: Run, looked: LogInspection, planned: Planned): Promise<Planned> {
  const positions = await loadPositions(run.client);
  return areSame(planned.positions, positions) ? planned : plan(run, looked);
}

const ANY_NUMBER = Number.POSITIVE_INFINITY;

/**
 * Before the services of a damaged log are stopped, a projector may store more than was read of the history; the plan
 * is then only an estimate, and is repeated.
 */
async function plan(
  { installation, client, options }: Run,
  looked: LogInspection,
): Promise<Planned> {
  const shown = options.progress('Reading the history');
  const { rows } = await client.query<{ total: string }>(
    `select count(*) as total from ${liveSchema}.record_history`,
  );
  const total = Number(rows[0]?.total);
  const { without } = options;
  const before = await loadPositions(client);
  const entityTypes = await indexHistory(client, installation.topics, {
    recordPartitions: partitionsOf(installation, looked),
    without,
    onProgress: countDone(shown, total),
  });
  shown.finish();
  const positions = await loadPositions(client);
  if (!areSame(before, positions))
    return { plans: await planPartitions(client, positions, ANY_NUMBER), positions: before };
  const explained = await requireWholeHistory(client, { entityTypes, without });
  const isAnyMissing = without.has(untraceable);
  return {
    plans: await planPartitions(client, positions, isAnyMissing ? ANY_NUMBER : explained),
    positions,
  };
}

/** Returns the number of partitions of the lost topic: the partition of a record depends on its id and this number. */
function partitionsOf({ topics }: Installation, { findings: { database } }: LogInspection): number {
  const known = database?.mark?.topics[topics.records]?.used;
  const positions = database?.positions.filter(({ topic }) => topic === topics.records) ?? [];
  return known ?? positions.length;
}

async function describePlans(client: Client, plans: readonly PartitionPlan[]) {
  const { rows } = await client.query<{ rejected: number }>(
    `select count(*)::int as rejected from ${liveSchema}.rejected_entries`,
  );
  return {
    events: plans.reduce((sum, each) => sum + countEvents(each), 0),
    filled: plans.reduce((sum, { filling }) => sum + filling, 0),
    rejected: rows[0]?.rejected ?? 0,
    leftOut: await countLeftOut(client),
  };
}

async function writeTopics(
  { installation, client, kafka, options }: Run,
  plans: readonly PartitionPlan[],
  recordPartitions: number,
): Promise<Pick<RebuiltLog, 'files' | 'webhooks' | 'kept'>> {
  const { topics, log } = installation;
  await ensureTopics(installation.kafka, topics, { recordPartitions }, log);
  const shown = options.progress('Writing the log');
  const onProgress = countDone(
    shown,
    plans.reduce((sum, each) => sum + countEntries(each), 0),
  );
  let kept = 0;
  for (const each of plans) {
    await writePartition({ client, kafka }, each, onProgress);
    kept += await writeTail({ client, kafka }, each);
  }
  shown.finish();
  const files = await writeFiles({ client, kafka }, topics.files);
  for (let partition = 0; partition < recordPartitions; partition += 1)
    kept += await writeTail({ client, kafka }, { topic: topics.files, partition });
  const { positions: batches, ...webhooks } = await writeWebhooks({ client, kafka, topics });
  await commitPositions(installation, { records: await queueOf(client, plans, topics), batches });
  return { files, webhooks, kept };
}

/**
 * Returns where the dispatcher continues: at its last position if that is known, otherwise at the projected position.
 */
async function queueOf(
  client: Client,
  plans: readonly PartitionPlan[],
  topics: Installation['topics'],
): Promise<readonly QueuedPosition[]> {
  const positions: QueuedPosition[] = [];
  for (const position of await loadPositions(client)) {
    if (position.topic !== topics.records) continue;
    const plan = plans.find(({ topic, partition }) => isAt(position, { topic, partition }));
    const kept = plan && (await findKeptQueue(client, plan, { before: position, after: position }));
    positions.push(kept ?? { ...position, sealed: position.token !== null });
  }
  return positions;
}

const isAt = (
  { topic, partition }: ProjectedPosition,
  other: Pick<ProjectedPosition, 'topic' | 'partition'>,
): boolean => topic === other.topic && partition === other.partition;

function nextMark({ findings: { database } }: LogInspection): KnownMark {
  const known = database?.mark;
  if (known === undefined) return { sealed: true };
  return {
    ...known,
    generation: known.generation + 1,
    sealed: true,
    trustedBefore: {},
    beginnings: {},
    suspects: [],
    isBeingReplaced: false,
  };
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
