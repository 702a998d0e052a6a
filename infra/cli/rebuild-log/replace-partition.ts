/**
 * Rewrites one damaged partition of the records from Postgres (docs/adr/0044).
 *
 *   damaged ──mark stops services, keep the tail──▶ recorded ──delete all entries, rewrite them after the old ones──▶ whole
 *       ──mark in Kafka, with the new first offset of the partition──▶ written ──positions in Postgres──▶ done
 *
 * A run that ends before the second mark is in Kafka starts again after the entries that it has written. One that
 * ends later only finishes Postgres. No service uses the log before the end.
 */
import type { Client } from 'pg';
import { lookAtInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { assessDamage } from '../../../shared/installation/assess-log.ts';
import { type LogInspection, markLog } from '../../../shared/installation/inspect-log.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { beginningOf, type Mark } from '../../../shared/installation/mark.ts';
import { storeMark } from '../../../shared/installation/mark-table.ts';
import { readMarks } from '../../../shared/installation/mark-topic.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { withAdmin } from '../../../shared/kafka/describe-topics.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { AloneContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
import { countDone } from '../progress.ts';
import { withKafkaForMarks } from '../with-kafka-for-marks.ts';
import { commitQueue } from './commit-positions.ts';
import { indexHistory } from './index-history.ts';
import { findKeptQueue, keepQueue } from './kept-queue.ts';
import { findHeldEntries, moveRejected } from './move-rejected.ts';
import {
  areSame,
  countEntries,
  countEvents,
  type PartitionPlan,
  planPartitions,
} from './plan-partitions.ts';
import { isNewer, requireLog } from './require-partition.ts';
import { scanLog } from './scan-log.ts';
import { stopServices } from './stop-services.ts';
import { keepTails, writeTail } from './tail.ts';
import {
  dropWork,
  findUnfinishedPartition,
  findUnfinishedRun,
  lockRun,
  recordPartition,
} from './work-schema.ts';
import { writePartition } from './write-partition.ts';

export interface ReplacePartitionOptions extends Pick<AloneContext, 'confirm' | 'progress'> {
  readonly partition: number;
  readonly isDryRun: boolean;
}

export interface ReplacedPartition {
  readonly partition: number;
  readonly generation: number | undefined;
  readonly events: number;
  /** Entries that Postgres did not have yet. */
  readonly kept: number;
  /** Why other such entries could not be kept. */
  readonly lost: readonly string[];
  /** The new first offset of the partition. */
  readonly first: number | undefined;
}

interface Run {
  readonly installation: Installation;
  readonly client: Client;
  readonly kafka: KafkaConnection;
  readonly options: ReplacePartitionOptions;
}

/** Throws OperatorError if the partition is complete or cannot be written. */
export async function replacePartition(
  installation: Installation,
  options: ReplacePartitionOptions,
): Promise<ReplacedPartition> {
  return withKafkaForMarks(installation, (kafka) =>
    withConnection(installation.connect, async (client) => {
      await lockRun(client);
      return decide({ installation, client, kafka, options });
    }),
  );
}

async function decide(run: Run): Promise<ReplacedPartition> {
  const { installation, client, options } = run;
  const { partition } = options;
  const looked = await lookAtInstalledLog(installation);
  const mark = requireLog(installation, looked, partition);
  const unfinished = await findUnfinishedPartition(client);
  await requireOwnRun(client, unfinished?.partition ?? partition, partition);
  const isWritten = unfinished !== undefined && isNewer(mark, looked.findings.database?.mark);
  if (isWritten) return finish(run, { mark, plan: await planOne(run), lost: [] });
  const isBegun = unfinished !== undefined || mark.isBeingReplaced === true;
  const says = isBegun ? 'The last run was interrupted' : await findDamage(run, looked);
  const planned = await planOne(run);
  const events = countEvents(planned);
  if (options.isDryRun) return { ...nothingWritten, partition, events };
  const topic = installation.topics.records;
  await options.confirm(
    `${says}. Delete the entries of ${topic}/${partition}, and rewrite them from the ${events} events in Postgres?`,
  );
  const lost = unfinished === undefined ? await keepRest(run, looked) : [];
  const plan = unfinished === undefined ? await planOne(run) : planned;
  const first = await clearPartition(run);
  await write(run, { ...plan, first });
  const next = await markWritten(run, first);
  return finish(run, { mark: next, plan: { ...plan, first }, lost });
}

const MARK_ATTEMPTS = 10;

/**
 * Marks the log as complete. Of two marks with the same revision the first one counts, and services may write marks
 * with suspected positions until they have read that the log is being replaced.
 */
async function markWritten(run: Run, first: bigint): Promise<Mark> {
  const { installation, kafka } = run;
  const topic = installation.topics.installation;
  for (let attempt = 0; attempt < MARK_ATTEMPTS; attempt += 1) {
    const { mark: known } = await readMarks(kafka, topic);
    if (known === undefined) break;
    const { generation } = await markLog(
      { ...installation, connection: kafka },
      nextMark(run, known, first),
    );
    const { mark } = await readMarks(kafka, topic);
    if (mark?.generation === generation) return mark;
  }
  throw new OperatorError(
    'Other processes are writing marks to this log: stop them, and run this command again.',
  );
}

const nothingWritten = { generation: undefined, kept: 0, lost: [], first: undefined };

async function requireOwnRun(client: Client, recorded: number, partition: number): Promise<void> {
  const isOther = recorded !== partition;
  if (!isOther && (await findUnfinishedRun(client)) === undefined) return;
  throw new OperatorError(
    isOther
      ? `A run for partition ${recorded} was interrupted: repeat it first.`
      : 'A run of annals rebuild-log was interrupted: repeat it first.',
  );
}

/** Reads the partition to its end. Throws OperatorError if it is complete. */
async function findDamage({ installation, options }: Run, looked: LogInspection): Promise<string> {
  const { partition } = options;
  const { place } = looked.findings.damage ?? {};
  const isKnown = place?.topic === installation.topics.records && place.partition === partition;
  const damage = isKnown
    ? looked.findings.damage
    : await withLogOf(installation, (kafka) =>
        scanLog(kafka, installation, {
          partition,
          shown: options.progress('Reading the partition'),
        }),
      );
  const verdict = assessDamage(damage);
  if (verdict !== undefined) return verdict.says;
  throw new OperatorError(
    `${installation.topics.records}/${partition} is complete. Nothing was changed.`,
  );
}

async function withLogOf<Answer>(
  installation: Installation,
  work: (kafka: KafkaConnection) => Promise<Answer>,
): Promise<Answer> {
  return withKafka({ ...installation, kafka: await toLogAddress(installation) }, work);
}

/**
 * Offsets change anyway, so entries that did not count are not replaced by fences. Before the services are stopped, a
 * projector may store more than was read of the history; the plan is then only an estimate.
 */
async function planOne({ installation, client, options }: Run): Promise<PartitionPlan> {
  const shown = options.progress('Reading the history');
  const before = await loadPositions(client);
  const { topics } = installation;
  await indexHistory(client, topics, {
    recordPartitions: before.filter(({ topic }) => topic === topics.records).length,
    without: new Set(),
    onProgress: countDone(shown, 0),
  });
  shown.finish();
  const positions = await loadPositions(client);
  const isSettled = areSame(before, positions);
  const plans = await planPartitions(client, positions, isSettled ? 0 : Number.POSITIVE_INFINITY);
  const plan = plans.find(
    ({ topic, partition }) => topic === topics.records && partition === options.partition,
  );
  if (plan === undefined)
    throw new OperatorError('Postgres has no position in this partition: restore a backup.');
  return { ...plan, filling: 0 };
}

async function keepRest(run: Run, looked: LogInspection): Promise<readonly string[]> {
  const { installation, client, options } = run;
  const { partition } = options;
  await stopServices(run, looked);
  await keepQueue(client, installation);
  const position = await loadPosition(run);
  const lost = await withLogOf(installation, (kafka) => keepTails({ client, kafka }, [position]));
  await recordPartition(client, { partition, first: null });
  return lost;
}

async function loadPosition({ installation, client, options }: Run): Promise<ProjectedPosition> {
  const position = (await loadPositions(client)).find(
    ({ topic, partition }) =>
      topic === installation.topics.records && partition === options.partition,
  );
  if (position === undefined) throw new Error('a planned partition without a position');
  return position;
}

/** Deletes all entries. Returns the offset of the next one. */
async function clearPartition({ installation, client, kafka, options }: Run): Promise<bigint> {
  const { topics, log } = installation;
  const { partition } = options;
  const first = await endOffset(kafka, topics.records, partition);
  await recordPartition(client, { partition, first });
  const deleted = [{ partition, offset: String(first) }];
  try {
    await withAdmin(installation.kafka, log, async (admin) => {
      // kafkajs looks for the leader before it has loaded the metadata of the topic.
      await admin.fetchTopicOffsets(topics.records);
      await admin.deleteTopicRecords({ topic: topics.records, partitions: deleted });
    });
  } catch (cause) {
    throw new OperatorError(
      `Kafka did not delete the entries of ${topics.records}/${partition}: run annals topics repair, then this command again. Kafka deletes entries only from a topic with cleanup.policy=delete.`,
      { cause },
    );
  }
  return first;
}

async function write(run: Run, plan: PartitionPlan): Promise<void> {
  const { installation, client, kafka, options } = run;
  const { topic, partition } = plan;
  const shown = options.progress('Writing the partition');
  await writePartition({ client, kafka }, plan, countDone(shown, countEntries(plan)));
  shown.finish();
  const before = await loadPosition(run);
  const after = { ...before, sealed: before.token !== null, offset: endOf(plan) };
  const end = await endOffset(kafka, topic, partition);
  if (end !== after.offset)
    throw new OperatorError(
      `${topic}/${partition} ends at ${end} instead of ${after.offset}, so another process is writing to it: stop that process, and run this command again.`,
    );
  await writeTail({ client, kafka }, plan);
  const queued = await findKeptQueue(client, plan, { before, after });
  await commitQueue(installation, [queued ?? after]);
}

const endOf = (plan: PartitionPlan): bigint => plan.first + BigInt(countEntries(plan));

function nextMark({ installation, options }: Run, mark: Mark, first: bigint): Mark {
  const { records } = installation.topics;
  const { partition } = options;
  const count = mark.topics[records]?.partitions ?? 0;
  const beginnings = Array.from({ length: count }, (_, index) =>
    String(index === partition ? first : beginningOf(mark, records, index)),
  );
  return {
    ...mark,
    generation: mark.generation + 1,
    beginnings: { ...mark.beginnings, [records]: beginnings },
    suspects: (mark.suspects ?? []).filter(
      (one) => one.topic !== records || one.partition !== partition,
    ),
    isBeingReplaced: false,
  };
}

interface Written {
  readonly mark: Mark;
  readonly plan: PartitionPlan;
  readonly lost: readonly string[];
}

/** Makes Postgres agree with the partition. Everything can be repeated, and the record of the run is removed last. */
async function finish(run: Run, { mark, plan, lost }: Written): Promise<ReplacedPartition> {
  const { installation, client, kafka, options } = run;
  const { records } = installation.topics;
  const { partition } = options;
  const first = beginningOf(mark, records, partition);
  const written = { ...plan, first };
  const next = endOf(written);
  const held = await findHeldEntries(client, written);
  await inTransaction(client, async () => {
    await client.query(
      `update ${liveSchema}.positions set next_offset = $3, sealed = token is not null
       where topic = $1 and partition = $2`,
      [records, partition, String(next)],
    );
    await moveRejected(client, written, held);
    await dropOtherReadModels(client);
  });
  await storeMark(client, mark);
  const kept = Number((await endOffset(kafka, records, partition)) - next);
  await dropWork(client);
  return {
    partition,
    generation: mark.generation,
    events: countEvents(plan),
    kept,
    lost,
    first: Number(first),
  };
}
