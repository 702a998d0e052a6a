/**
 * Rewrites the topics from Postgres (docs/adr/0037).
 *
 *   lost ──topics, entries, positions of the dispatcher──▶ whole ──mark in Kafka──▶ written ──mark in Postgres──▶ done
 *
 * If a run is interrupted before the mark is in Kafka, the next run starts from the beginning, and no service uses the
 * log until then. If a run is interrupted later, the next run only finishes the work in Postgres.
 *
 * A damaged log is replaced in the same way (docs/adr/0044), with two additional steps before its topics are deleted: a
 * mark stops all services, and entries that Postgres lacks are copied to Postgres.
 */
import type { Client } from 'pg';
import { nameSome } from '../../../services/system/doctor/finding.ts';
import { inspectInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import {
  fileSchema,
  liveSchema,
  webhookSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { assessDamage, type LogVerdict } from '../../../shared/installation/assess-log.ts';
import { type LogInspection, markLog } from '../../../shared/installation/inspect-log.ts';
import type { KnownMark, Mark } from '../../../shared/installation/mark.ts';
import { storeMark } from '../../../shared/installation/mark-table.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
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
import { requireWholeHistory, untraceable } from './index-history.ts';
import {
  areSame,
  countEntries,
  countEvents,
  type PartitionPlan,
  planPartitions,
  readHistory,
} from './plan-partitions.ts';
import { hasTail, keepTails, writeTail } from './tail.ts';
import {
  countLeftOut,
  dropWork,
  findUnfinishedPartition,
  findUnfinishedRun,
  leavesRecordsOut,
  type Run,
  recordRun,
  withRun,
} from './work-schema.ts';
import { writePartition } from './write-partition.ts';
import { type WrittenWebhooks, writeWebhooks } from './write-webhooks.ts';

export interface RebuildLogOptions {
  readonly isDryRun: boolean;
  /** The ids of records to exclude, or `unknown` for missing events whose record is unknown. */
  readonly without: ReadonlySet<string>;
  /** Whether an existing, damaged log may be replaced. */
  readonly isReplacing: boolean;
}

export interface RebuiltLog {
  readonly generation: number | undefined;
  readonly events: number;
  /** The number of events in Postgres that belong to excluded records. */
  readonly leftOut: number;
  /** The number of invalid entries in the lost log, such as entries from former owners. Fences replace them. */
  readonly filled: number;
  readonly rejected: number;
  /** The number of entries that the damaged log still contained but Postgres did not. */
  readonly kept: number;
  /** The reasons why other entries of this kind could not be kept. */
  readonly lost: readonly string[];
  readonly files: number;
  readonly webhooks: Omit<WrittenWebhooks, 'positions'>;
}

/** Throws OperatorError if the log cannot be written, or if it exists and is not to be replaced. */
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
  const found = await inspectInstalledLog(installation);
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
  // A projector may have stored more entries before it stopped.
  const isCurrent = !isReplacing || areSame(planned.positions, await loadPositions(client));
  const { plans } = isCurrent ? planned : await plan(run, looked, without);
  await clearTopics(kafka, installation);
  const counts = await writeTopics(run, plans, partitionsOf(run, looked));
  const next = await markLog({ connection: kafka, ...installation }, nextMark(looked));
  await finish(run, next);
  return { ...described, lost, ...counts, generation: next.generation };
}

/**
 * Returns undefined if the log has yet to be written. If it has already been written, returns its new mark; only the
 * later steps then remain. Throws OperatorError unless Postgres has a read model and its log is lost, or is damaged and
 * to be replaced. `hasEntries` lists topics that are not empty, excluding those of an unfinished run.
 */
function findWrittenMark(
  { findings, verdict }: LogInspection,
  {
    hasEntries,
    isUnfinished,
    isReplacing,
  }: { hasEntries: readonly string[]; isUnfinished: boolean; isReplacing: boolean },
): Mark | undefined {
  const { mark, foreignMark, database } = findings;
  if (database === undefined || database.positions.length === 0) {
    throw new OperatorError(
      'Postgres has no read model from which the log could be written: restore a backup of Kafka or of Postgres.',
    );
  }
  if (isUnfinished && mark !== undefined && isNextOf(database.mark, mark)) return mark;
  if (verdict.kind === 'known' || verdict.kind === 'unmarked') {
    throw new OperatorError(
      isReplacing
        ? 'The log is complete. Nothing was changed.'
        : 'The log is not lost. Nothing was changed. To rebuild the tables from it, run annals rebuild.',
    );
  }
  if (isReplacing && verdict.kind === 'refused' && verdict.isReplaceable === true) return undefined;
  if (mark !== undefined || foreignMark !== undefined || hasEntries.length > 0)
    throw refuseEntries(hasEntries, verdict);
  return undefined;
}

function refuseEntries(hasEntries: readonly string[], verdict: LogVerdict): OperatorError {
  const why = verdict.kind === 'refused' ? ` ${verdict.says}: ${verdict.remedy}.` : '';
  return new OperatorError(
    `Kafka has entries of Annals in ${hasEntries.join(', ')}, but rebuild-log writes only to empty topics. Nothing was changed.${why}`,
  );
}

function isNextOf(known: Mark | undefined, mark: Mark): boolean {
  return (
    known === undefined ||
    (mark.generation > known.generation && mark.installationId === known.installationId)
  );
}

/** Gaps are detected only by reading, so a log that appears complete is read to its end. */
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

/** Keeps the entries that only the damaged log contains. Returns the reasons why some of them could not be kept. */
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
  // A plan from an unsettled history is returned without positions, so that it never counts as current.
  const plans = await planPartitions(client, positions, missing);
  return { plans, positions: isSettled ? positions : [] };
}

/**
 * Returns the number of partitions of the lost records topic. The new topic needs the same number, because the
 * partition of a record depends on its id and this number.
 */
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

/** Writes the bytes of every file in Postgres to the log, one chunk at a time. Returns the number of chunks. */
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

/** Returns the position from which the dispatcher continues in each partition. */
async function queueOf(run: Run, plans: readonly PartitionPlan[]) {
  const queued: QueuedPosition[] = [];
  for (const before of await loadPositions(run.client)) {
    const { topic, partition, token } = before;
    if (topic !== run.installation.topics.records) continue;
    const each = plans.find((one) => one.topic === topic && one.partition === partition);
    const after = { ...before, sealed: token !== null };
    queued.push(each ? await findQueued(run, each, { before, after }) : after);
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

/** Returns an empty list if no file was ever stored. */
async function loadFilePositions(client: Client): Promise<readonly PartitionPosition[]> {
  if (!(await hasTable(client, `${fileSchema}.positions`))) return [];
  const { rows } = await client.query<{ topic: string; partition: number; next: string }>(
    `select topic, partition, next_offset as next from ${fileSchema}.positions`,
  );
  return rows.map(({ next, ...place }) => ({ ...place, offset: BigInt(next) }));
}

/**
 * Updates Postgres to match the new log. Every step can be repeated, and the record of the run is removed last. The
 * tables of webhooks contain offsets of the lost topics, so the projector fills them again.
 */
async function finishDatabase({ client, kafka, installation }: Run, mark: Mark): Promise<void> {
  const { files } = installation.topics;
  const hasFiles = await hasTable(client, `${fileSchema}.positions`);
  const isStale = (await leavesRecordsOut(client)) || (await hasQuarantined(client));
  await inTransaction(client, async () => {
    // If the tables contain records that the log lacks, they are dropped and filled again from the log. Otherwise they
    // agree with it, except for entries that were invalid in the lost log.
    if (isStale) await client.query(`drop schema if exists ${liveSchema} cascade`);
    else
      await client.query(`update ${liveSchema}.positions set sealed = true where token is not null;
        delete from ${liveSchema}.rejected_entries`);
    await client.query(`drop schema if exists ${webhookSchema} cascade`);
    await dropOtherReadModels(client);
    if (hasFiles && (await hasTail(client, files))) {
      // Postgres lacks some of the chunks, so the projector reads all of them.
      await client.query(`delete from ${fileSchema}.positions where topic = $1`, [files]);
    } else if (hasFiles) {
      for (const { topic, partition, offset } of await readEnds(kafka, files)) {
        await client.query(
          `insert into ${fileSchema}.positions (topic, partition, next_offset) values ($1, $2, $3)
           on conflict (topic, partition) do update set next_offset = excluded.next_offset`,
          [topic, partition, String(offset)],
        );
      }
    }
  });
  await storeMark(client, mark);
  await dropWork(client);
}

async function hasQuarantined(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from ${liveSchema}.rejected_entries where record_id is not null limit 1`,
  );
  return rowCount === 1;
}
