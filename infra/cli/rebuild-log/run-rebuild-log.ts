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
import { nameSome } from '../../../services/operations/doctor/name-some.ts';
import { lookAtInstalledLog } from '../../../services/operations/installation/judge-installed-log.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { assessDamage } from '../../../shared/installation/assess-log.ts';
import type { LogInspection } from '../../../shared/installation/inspect-log.ts';
import type { KnownMark, Mark } from '../../../shared/installation/mark.ts';
import { markLog } from '../../../shared/installation/mark-log.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { countProgress } from '../progress.ts';
import { clearTopics, topicsWithEntries } from './clear-topics.ts';
import { scanLog, stopServices } from './damaged-log.ts';
import {
  commitDelivered,
  commitQueue,
  findQueued,
  keepQueue,
  type QueuedPosition,
} from './dispatcher-positions.ts';
import { requireWholeHistory, untraceable } from './find-missing.ts';
import { findWrittenMark } from './find-written-mark.ts';
import { finishDatabase, loadFilePositions } from './finish-database.ts';
import {
  areSame,
  countEntries,
  countEvents,
  type PartitionPlan,
  planPartitions,
  readHistory,
} from './plan-partitions.ts';
import { keepTails, writeTail } from './tail.ts';
import {
  countLeftOut,
  findUnfinishedPartition,
  findUnfinishedRun,
  type Run,
  recordRun,
  withRun,
} from './work-schema.ts';
import { writePartition } from './write-partition.ts';
import { type WrittenWebhooks, writeWebhooks } from './write-webhooks.ts';

export interface RebuildLogOptions {
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

/** Throws OperatorError if the log is neither lost nor to be replaced, or cannot be written. */
export async function runRebuildLog(
  context: CommandContext,
  options: RebuildLogOptions,
): Promise<RebuiltLog> {
  return withRun(context, async (run) => {
    const partition = await findUnfinishedPartition(run.client);
    if (partition === undefined) return decide(run, options);
    throw new OperatorError(
      `A run of annals rebuild-log --replace --partition ${partition} was interrupted: repeat it first.`,
    );
  });
}

async function decide(run: Run, options: RebuildLogOptions): Promise<RebuiltLog> {
  const { installation, client, kafka } = run;
  const { isReplacing, without } = options;
  const found = await lookAtInstalledLog(installation);
  const { log } = found.findings;
  const isUnfinished = (await findUnfinishedRun(client)) === log.clusterId;
  const looked = isReplacing && !isUnfinished ? await lookForDamage(run, found) : found;
  const hasEntries = isUnfinished ? [] : await topicsWithEntries(kafka, installation);
  const written = findWrittenMark(looked, { hasEntries, isUnfinished, isReplacing });
  if (written !== undefined) return finish(run, written);
  const planned = await plan(run, looked, without);
  const described = { ...nothingWritten, ...(await describePlans(client, planned.plans)) };
  if (options.isDryRun) return described;
  await run.confirm(describeConfirmation(looked, described.events, options));
  const lost = isReplacing && !isUnfinished ? await keepRest(run, looked) : [];
  if (!isUnfinished) await recordRun(client, log.clusterId, { leavesOut: without.size > 0 });
  // A projector may have stored more before it stopped.
  const isCurrent = !isReplacing || areSame(planned.positions, await loadPositions(client));
  const { plans } = isCurrent ? planned : await plan(run, looked, without);
  await clearTopics(kafka, installation);
  const counts = await writeTopics(run, plans, partitionsOf(run, looked));
  const next = await markLog({ connection: kafka, ...installation }, nextMark(looked));
  await finish(run, next);
  return { ...described, lost, ...counts, generation: next.generation };
}

/** Gaps are found by reading: a log that appears complete is read to its end. */
async function lookForDamage(run: Run, looked: LogInspection): Promise<LogInspection> {
  if (looked.verdict.kind !== 'known') return looked;
  return { ...looked, verdict: assessDamage(await scanLog(run)) ?? looked.verdict };
}

function describeConfirmation(
  { verdict }: LogInspection,
  events: number,
  { without, isReplacing }: RebuildLogOptions,
): string {
  const leftOut =
    without.size === 0
      ? ''
      : `, without ${nameSome([...without])}, and drop all tables of Annals to fill them again from it`;
  if (!isReplacing)
    return `The log is lost. Rewrite it in this Kafka from the ${events} events in Postgres${leftOut}?`;
  const says = verdict.kind === 'refused' ? `${verdict.says}. ` : '';
  return `${says}Delete all topics of this log, and rewrite them from the ${events} events in Postgres${leftOut}?`;
}

/** Keeps entries that only the damaged log has. Returns the reasons why some of them could not be kept. */
async function keepRest(run: Run, looked: LogInspection): Promise<readonly string[]> {
  const { installation, client } = run;
  await stopServices(run, looked);
  const present = looked.findings.log.topics;
  if (present.has(installation.topics.records)) await keepQueue(run);
  const positions = [...(await loadPositions(client)), ...(await loadFilePositions(client))];
  return keepTails(
    run,
    positions.filter(({ topic }) => present.has(topic)),
  );
}

const nothingWritten = {
  generation: undefined,
  kept: 0,
  lost: [],
  files: 0,
  webhooks: { batches: 0, waiting: 0, attempts: 0 },
};

async function plan(run: Run, looked: LogInspection, without: ReadonlySet<string>) {
  const { client } = run;
  const { entityTypes, positions, isSettled } = await readHistory(
    run,
    partitionsOf(run, looked),
    without,
  );
  const explained = isSettled ? await requireWholeHistory(client, { entityTypes, without }) : 0;
  const isAnyMissing = !isSettled || without.has(untraceable);
  const missing = isAnyMissing ? Number.POSITIVE_INFINITY : explained;
  // Of an unsettled plan no positions are the same later.
  const plans = await planPartitions(client, positions, missing);
  return { plans, positions: isSettled ? positions : [] };
}

/** Returns the number of partitions of the lost topic: the partition of a record depends on its id and this number. */
function partitionsOf(
  { installation: { topics } }: Run,
  { findings: { database } }: LogInspection,
): number {
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

async function writeTopics(run: Run, plans: readonly PartitionPlan[], recordPartitions: number) {
  const { topics, kafka, log } = run.installation;
  await ensureTopics(kafka, topics, { recordPartitions }, log);
  const total = plans.reduce((sum, each) => sum + countEntries(each), 0);
  let kept = 0;
  await countProgress(run.progress('Writing the log'), total, async (add) => {
    for (const each of plans) {
      await writePartition(run, each, add);
      kept += await writeTail(run, each.topic, each.partition);
    }
  });
  const files = await writeFiles(run);
  for (let partition = 0; partition < recordPartitions; partition += 1)
    kept += await writeTail(run, topics.files, partition);
  const { positions: batches, ...webhooks } = await writeWebhooks(run);
  await commitQueue(run.installation, await queueOf(run, plans));
  await commitDelivered(run.installation, batches);
  return { files, webhooks, kept };
}

/** Writes the bytes of every file in Postgres, one piece at a time. Returns the number of pieces. */
async function writeFiles({ client, kafka, installation }: Run): Promise<number> {
  const topic = installation.topics.files;
  const append = createAppendCoded(kafka);
  const partitions = await kafka.partitionsOf(topic);
  const { rows: pieces } = await client.query<{ sha256: string; start: string; size: string }>(
    `select sha256, start, max(start + octet_length(content)) over (partition by sha256) as size
     from ${fileSchema}.chunks order by sha256, start`,
  );
  for (const { sha256, start, size } of pieces) {
    const { rows } = await client.query<{ content: Buffer }>(
      `select content from ${fileSchema}.chunks where sha256 = $1 and start = $2`,
      [sha256, start],
    );
    for (const { content } of rows) {
      const value = encodeFileChunk({ sha256, size: Number(size), start: Number(start), content });
      await append(topic, partitionOf(sha256, partitions), [{ key: sha256, value }]);
    }
  }
  return pieces.length;
}

/** Returns where the dispatcher continues in each partition. */
async function queueOf({ client, installation }: Run, plans: readonly PartitionPlan[]) {
  const queued: QueuedPosition[] = [];
  for (const before of await loadPositions(client)) {
    const { topic, partition, token } = before;
    if (topic !== installation.topics.records) continue;
    const each = plans.find((one) => one.topic === topic && one.partition === partition);
    const after = { ...before, sealed: token !== null };
    queued.push(each ? await findQueued(client, each, { before, after }) : after);
  }
  return queued;
}

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

async function finish(run: Run, mark: Mark): Promise<RebuiltLog> {
  await finishDatabase(run, mark);
  const { generation } = mark;
  return { ...nothingWritten, events: 0, leftOut: 0, filled: 0, rejected: 0, generation };
}
