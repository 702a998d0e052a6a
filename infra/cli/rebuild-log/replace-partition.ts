/**
 * Rewrites one damaged partition of the records from Postgres (docs/adr/0044).
 *
 *   damaged ──mark stops services, keep the tail──▶ recorded ──delete all entries, rewrite them after the old ones──▶ whole
 *       ──mark in Kafka, with the new first offset of the partition──▶ written ──positions in Postgres──▶ done
 *
 * If a run is interrupted before the second mark is in Kafka, the next run starts over, after the entries already
 * written. If a run is interrupted later, the next run only finishes the work in Postgres. No service uses the log
 * before the end.
 */
import { inspectInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { assessDamage } from '../../../shared/installation/assess-log.ts';
import { type LogInspection, markLog } from '../../../shared/installation/inspect-log.ts';
import { beginningOf, type Mark } from '../../../shared/installation/mark.ts';
import { storeMark } from '../../../shared/installation/mark-table.ts';
import { readMarks } from '../../../shared/installation/mark-topic.ts';
import { withAdmin } from '../../../shared/kafka/describe-topics.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
import { countProgress } from '../progress.ts';
import { scanLog, stopServices } from './damaged-log.ts';
import { commitQueue, findQueued, keepQueue } from './dispatcher-positions.ts';
import { findHeldEntries, moveRejected } from './move-rejected.ts';
import {
  countEntries,
  countEvents,
  type PartitionPlan,
  planPartitions,
  readHistory,
} from './plan-partitions.ts';
import { keepTails, writeTail } from './tail.ts';
import {
  dropWork,
  findUnfinishedPartition,
  findUnfinishedRun,
  type Run,
  recordPartition,
  withRun,
} from './work-schema.ts';
import { writePartition } from './write-partition.ts';

export interface ReplacedPartition {
  readonly partition: number;
  readonly generation: number | undefined;
  readonly events: number;
  /** The number of entries that Postgres did not have yet. */
  readonly kept: number;
  /** The reasons why other entries of this kind could not be kept. */
  readonly lost: readonly string[];
  /** The new first offset of the partition. */
  readonly first: number | undefined;
}

/** Throws OperatorError if the partition is not damaged, or cannot be written from Postgres. */
export async function replacePartition(
  context: CommandContext,
  options: { readonly partition: number; readonly isDryRun: boolean },
): Promise<ReplacedPartition> {
  return withRun(context, (run) => decide(run, options));
}

async function decide(
  run: Run,
  { partition, isDryRun }: Parameters<typeof replacePartition>[1],
): Promise<ReplacedPartition> {
  const { installation, client } = run;
  const looked = await inspectInstalledLog(installation);
  const mark = requireLog(run, looked, partition);
  const unfinished = await findUnfinishedPartition(client);
  if (unfinished !== undefined && unfinished !== partition)
    throw new OperatorError(`A run for partition ${unfinished} was interrupted: repeat it first.`);
  if ((await findUnfinishedRun(client)) !== undefined)
    throw new OperatorError('A run of annals rebuild-log was interrupted: repeat it first.');
  const isBegun = unfinished !== undefined;
  const isWritten = isBegun && isNewer(mark, looked.findings.database?.mark);
  if (isWritten) return finish(run, await planOne(run, partition), { mark, lost: [] });
  const says =
    isBegun || mark.isBeingReplaced === true
      ? 'The last run was interrupted'
      : await findDamage(run, looked, partition);
  const planned = await planOne(run, partition);
  const events = countEvents(planned);
  if (isDryRun)
    return { generation: undefined, kept: 0, lost: [], first: undefined, partition, events };
  await run.confirm(
    `${says}. Delete the entries of ${planned.topic}/${partition}, and rewrite them from the ${events} events in Postgres?`,
  );
  const lost = isBegun ? [] : await keepRest(run, looked, planned);
  const settled = isBegun ? planned : await planOne(run, partition);
  const plan = { ...settled, first: await clearPartition(run, settled) };
  await write(run, plan);
  return finish(run, plan, { mark: await markWritten(run, plan), lost });
}

/** Returns the mark of the log. Throws OperatorError unless all other partitions exist. */
function requireLog(
  { installation: { topics } }: Run,
  { findings, verdict }: LogInspection,
  partition: number,
): Mark {
  const { mark, log, database } = findings;
  // A run that is interrupted between the mark in Kafka and the mark in Postgres leaves an older mark in Postgres.
  const isOnlyOlder =
    isNewer(mark, database?.mark) && mark?.installationId === database?.mark?.installationId;
  if (verdict.kind === 'refused' && verdict.isReplaceable !== true && !isOnlyOlder) {
    throw new OperatorError(`${verdict.says}: ${verdict.remedy}. Nothing was changed.`);
  }
  const known = mark?.topics[topics.records];
  if (mark === undefined || log.topics.get(topics.records)?.id !== known?.id) {
    throw new OperatorError(
      'More than one partition of the log is lost: run annals rebuild-log --replace to rewrite the whole log.',
    );
  }
  if (partition < (known?.used ?? 0)) return mark;
  throw new OperatorError(`${topics.records} has no partition ${partition}. Nothing was changed.`);
}

/** Returns whether the mark in Kafka has a later generation than the mark in Postgres. */
function isNewer(mark: Mark | undefined, stored: Mark | undefined): boolean {
  return mark !== undefined && stored !== undefined && mark.generation > stored.generation;
}

/** Reads the partition to its end. Throws OperatorError if it is complete. */
async function findDamage(run: Run, looked: LogInspection, partition: number): Promise<string> {
  const { records } = run.installation.topics;
  const { damage } = looked.findings;
  const isKnown = damage?.place?.topic === records && damage.place.partition === partition;
  const verdict = assessDamage(isKnown ? damage : await scanLog(run, partition));
  if (verdict !== undefined) return verdict.says;
  throw new OperatorError(`${records}/${partition} is complete. Nothing was changed.`);
}

/** The offsets change in any case, so invalid entries are not replaced with fences. */
async function planOne(run: Run, partition: number): Promise<PartitionPlan> {
  const { client, installation } = run;
  const { records } = installation.topics;
  const count = (await loadPositions(client)).filter(({ topic }) => topic === records).length;
  const { positions, isSettled } = await readHistory(run, count, new Set());
  const plans = await planPartitions(client, positions, isSettled ? 0 : Number.POSITIVE_INFINITY);
  const plan = plans.find((one) => one.topic === records && one.partition === partition);
  if (plan === undefined)
    throw new OperatorError('Postgres has no position for this partition: restore a backup.');
  return { ...plan, filling: 0 };
}

async function keepRest(
  run: Run,
  looked: LogInspection,
  plan: PartitionPlan,
): Promise<readonly string[]> {
  await stopServices(run, looked);
  await keepQueue(run);
  const lost = await keepTails(run, [await loadPosition(run, plan)]);
  await recordPartition(run.client, plan.partition);
  return lost;
}

async function loadPosition({ client }: Run, plan: PartitionPlan): Promise<ProjectedPosition> {
  const position = (await loadPositions(client)).find(
    ({ topic, partition }) => topic === plan.topic && partition === plan.partition,
  );
  if (position === undefined) throw new Error('a planned partition has no position');
  return position;
}

/** Deletes all entries in the partition. Returns the offset of the next entry. */
async function clearPartition(
  { installation, kafka }: Run,
  { topic, partition }: PartitionPlan,
): Promise<bigint> {
  const first = await endOffset(kafka, topic, partition);
  try {
    await withAdmin(installation.kafka, installation.log, async (admin) => {
      // kafkajs looks for the leader before it has loaded the metadata of the topic.
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(first) }] });
    });
  } catch (cause) {
    throw new OperatorError(
      `Kafka did not delete the entries of ${topic}/${partition}: run annals topics repair, then run this command again. Kafka deletes entries only from a topic with cleanup.policy=delete.`,
      { cause },
    );
  }
  return first;
}

async function write(run: Run, plan: PartitionPlan): Promise<void> {
  const { installation, kafka } = run;
  const { topic, partition } = plan;
  await countProgress(run.progress('Writing the partition'), countEntries(plan), (add) =>
    writePartition(run, plan, add),
  );
  const before = await loadPosition(run, plan);
  const after = { ...before, sealed: before.token !== null, offset: endOf(plan) };
  const end = await endOffset(kafka, topic, partition);
  if (end !== after.offset)
    throw new OperatorError(
      `${topic}/${partition} ends at ${end} instead of ${after.offset}, so another process is writing to it: stop that process, and run this command again.`,
    );
  await writeTail(run, topic, partition);
  await commitQueue(installation, [await findQueued(run, plan, { before, after })]);
}

const endOf = (plan: PartitionPlan): bigint => plan.first + BigInt(countEntries(plan));

const MARK_ATTEMPTS = 10;

/**
 * Marks the log as complete. Retries: if two marks have the same revision, only the first one counts, and services may
 * write marks with suspected positions until they have read that the log is being replaced.
 */
async function markWritten({ installation, kafka }: Run, plan: PartitionPlan): Promise<Mark> {
  const topic = installation.topics.installation;
  for (let attempt = 0; attempt < MARK_ATTEMPTS; attempt += 1) {
    const { mark: known } = await readMarks(kafka, topic);
    if (known === undefined) break;
    const place = { ...installation, connection: kafka };
    const { generation } = await markLog(place, nextMark(known, plan));
    const { mark } = await readMarks(kafka, topic);
    if (mark?.generation === generation) return mark;
  }
  throw new OperatorError(
    'Other processes are writing marks to this log: stop them, and run this command again.',
  );
}

function nextMark(mark: Mark, { topic, partition, first }: PartitionPlan): Mark {
  const count = mark.topics[topic]?.partitions ?? 0;
  const beginnings = Array.from({ length: count }, (_, index) =>
    String(index === partition ? first : beginningOf(mark, topic, index)),
  );
  return {
    ...mark,
    generation: mark.generation + 1,
    beginnings: { ...mark.beginnings, [topic]: beginnings },
    suspects: (mark.suspects ?? []).filter(
      (one) => one.topic !== topic || one.partition !== partition,
    ),
    isBeingReplaced: false,
  };
}

/** Updates Postgres to match the partition. Every step can be repeated, and the record of the run is removed last. */
async function finish(
  { client, kafka }: Run,
  plan: PartitionPlan,
  { mark, lost }: { readonly mark: Mark; readonly lost: readonly string[] },
): Promise<ReplacedPartition> {
  const { topic, partition } = plan;
  const first = beginningOf(mark, topic, partition);
  const written = { ...plan, first };
  const next = endOf(written);
  const held = await findHeldEntries(client, written);
  await inTransaction(client, async () => {
    await client.query(
      `update ${liveSchema}.positions set next_offset = $3, sealed = token is not null
       where topic = $1 and partition = $2`,
      [topic, partition, String(next)],
    );
    await moveRejected(client, written, held);
    await dropOtherReadModels(client);
  });
  await storeMark(client, mark);
  const kept = Number((await endOffset(kafka, topic, partition)) - next);
  await dropWork(client);
  const { generation } = mark;
  return { partition, generation, events: countEvents(plan), kept, lost, first: Number(first) };
}
