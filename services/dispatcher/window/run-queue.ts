/**
 * "Process Webhook Queue":
 *
 *   wait ──interval, or asked for──▶ run: read ─▶ match ─▶ commit {batches, positions} ─▶ … to the end as of its start
 *    ▲                                                                                     or to the portion's limit
 *    └─────────────────────────────────────────────────────────────────────────────────────┘
 *
 * The records log itself is the queue: between two runs nothing is held in memory, and what a run leaves over stays in
 * Kafka. Each round's batches and the positions behind their events are one Kafka transaction, so a crash anywhere
 * reads the same events again, and none is enqueued twice. A second dispatcher fences the first by the transactional
 * id. With interval 0 a run begins as soon as there is something to read.
 */
import type { Logger } from 'pino';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { queueRunsRequested } from '../../../shared/domain/webhook/queue-run.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { encodeWebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, liveRead, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import { type Transactor, TransactionSuperseded } from '../../../shared/kafka/transactor.ts';
import { enqueuePortion, type Portion, type QueuePosition } from './enqueue-portion.ts';

export interface QueueConfig {
  /** 0: whenever there is something. */
  readonly intervalMs: number;
  /** Matched events per run; 0: all. */
  readonly eventPortionSize: number;
  readonly batchSize: number;
}

interface QueueDeps {
  /** For reading, and for nothing else. */
  readonly reading: KafkaConnection;
  readonly asking: KafkaConnection;
  readonly transactor: Transactor;
  readonly follower: DirectoryFollower;
  readonly topics: { readonly records: string; readonly webhookBatches: string };
  readonly config: QueueConfig;
  readonly onRun: () => void;
  readonly now: () => number;
  readonly log: Logger;
  /** Another dispatcher does this one's work. */
  readonly onSuperseded: (error: unknown) => void;
}

export interface Queue {
  /** Has been able to read and commit since it last failed. */
  isRunning(): boolean;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 250;
/** A group's offsets are forgotten a week after their last commit; an idle system must not come to that. */
const RECOMMIT_AFTER_MS = 3_600_000;

export function runQueue(deps: QueueDeps): Queue {
  const { config, follower } = deps;
  let positions: readonly QueuePosition[] | undefined;
  let committedAt = deps.now();
  let running = false;
  let closed = false;
  let wake: () => void = () => undefined;
  let runsSeen = queueRunsRequested(follower.directory);
  follower.onChange(() => {
    if (queueRunsRequested(follower.directory) > runsSeen) wake();
  });
  const loop = run();

  async function run(): Promise<void> {
    while (!closed) {
      try {
        positions ??= await loadPositions();
        running = true;
        if (config.intervalMs > 0) await waitForRun();
        if (closed) return;
        runsSeen = queueRunsRequested(follower.directory);
        await processQueue();
      } catch (err) {
        if (closed) return;
        running = false;
        positions = undefined;
        if (err instanceof TransactionSuperseded) return deps.onSuperseded(err);
        if (!(err instanceof Unavailable)) throw err;
        deps.log.warn({ err }, 'queue interrupted');
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      }
    }
  }

  async function loadPositions(): Promise<readonly QueuePosition[]> {
    await follower.catchUp();
    const { records: topic } = deps.topics;
    const partitions = await deps.asking.partitionsOf(topic);
    const stored = await deps.transactor.notedPositions(topic);
    return Array.from({ length: partitions }, (_, partition) => {
      const found = stored.find((position) => position.partition === partition);
      if (found === undefined) return { topic, partition, offset: 0n, token: null, sequence: 0 };
      return { topic, partition, offset: found.offset, ...decodeNote(found.note) };
    });
  }

  /** The interval, cut short when somebody asks for a run. */
  async function waitForRun(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, config.intervalMs);
      wake = resolve;
    });
    clearTimeout(timer);
  }

  async function processQueue(): Promise<void> {
    deps.onRun();
    const ends = config.intervalMs > 0 ? await readEnds() : undefined;
    let left = config.eventPortionSize === 0 ? Number.POSITIVE_INFINITY : config.eventPortionSize;
    while (!closed && left > 0) {
      const open = (positions ?? []).filter(
        ({ partition, offset }) => ends === undefined || offset < (ends.get(partition) ?? 0n),
      );
      if (open.length === 0) break;
      const portion = await readPortion(open, left);
      if (portion !== undefined) await commit(portion);
      left -= portion?.taken ?? 0;
      if (ends === undefined) break;
    }
    if (deps.now() - committedAt > RECOMMIT_AFTER_MS) {
      await commit({ batches: [], positions: positions ?? [], taken: 0, isCutShort: false });
    }
  }

  async function readEnds(): Promise<ReadonlyMap<number, bigint>> {
    const ends = (positions ?? []).map(
      async ({ topic, partition }) =>
        [partition, await endOffset(deps.asking, topic, partition)] as const,
    );
    return new Map(await Promise.all(ends));
  }

  async function readPortion(
    open: readonly QueuePosition[],
    events: number,
  ): Promise<Portion | undefined> {
    const found = await readPartitions(deps.reading, open, liveRead);
    if (found.length === 0) return undefined;
    await follower.catchUp();
    const read = open.flatMap((from) => {
      const ofPartition = found.find(({ partition }) => partition === from.partition);
      return ofPartition === undefined ? [] : [{ from, found: ofPartition }];
    });
    const limits = { events, batchSize: config.batchSize };
    return enqueuePortion(follower.directory, read, { limits, now: deps.now() });
  }

  async function commit(portion: Portion): Promise<void> {
    const partitions = await deps.asking.partitionsOf(deps.topics.webhookBatches);
    const messages = portion.batches.map((batch) => ({
      topic: deps.topics.webhookBatches,
      partition: partitionOf(batch.webhookId, partitions),
      key: batch.webhookId,
      value: encodeWebhookBatch(batch),
    }));
    // Events that concern no webhook need no transaction of their own; a crash only reads them again.
    if (messages.length > 0 || deps.now() - committedAt > RECOMMIT_AFTER_MS || config.intervalMs > 0) {
      await deps.transactor.commit(
        messages,
        moveTo(portion.positions).map((position) => ({ ...position, note: encodeNote(position) })),
      );
      committedAt = deps.now();
    }
    positions = moveTo(portion.positions);
    if (messages.length > 0) {
      deps.log.info({ events: portion.taken, batches: messages.length }, 'webhook batches enqueued');
    }
  }

  function moveTo(moved: readonly QueuePosition[]): readonly QueuePosition[] {
    return (positions ?? []).map(
      (position) => moved.find(({ partition }) => partition === position.partition) ?? position,
    );
  }

  return {
    isRunning: () => running,
    async close() {
      closed = true;
      wake();
      await deps.reading.close();
      await deps.asking.close();
      await loop;
      await deps.transactor.close();
    },
  };
}

/** The state of the fold, kept beside the offset. */
function encodeNote({ token, sequence }: QueuePosition): string {
  return `${token ?? ''}:${sequence}`;
}

function decodeNote(note: string): { readonly token: string | null; readonly sequence: number } {
  const [token = '', sequence = '0'] = note.split(':');
  return { token: token === '' ? null : token, sequence: Number(sequence) };
}
