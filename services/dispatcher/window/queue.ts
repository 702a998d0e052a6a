/**
 * The job "Process Webhook Queue":
 *
 *   wait ──interval, or requested──▶ run: read ─▶ match ─▶ commit {batches, positions} ─▶ … to the end as of its start
 *    ▲                                                                                     or to the portion's limit
 *    └─────────────────────────────────────────────────────────────────────────────────────┘
 *
 * The records log itself is the queue: between two runs, nothing is held in memory, and the remaining events stay in
 * Kafka. The batches of each step are committed in one Kafka transaction with the positions behind their events. After
 * a crash, events whose batches were not committed are read again, so no event is lost or enqueued twice. One process
 * at a time runs the queue (leader-task.ts); if two processes do, the newer one fences the older one by the
 * transactional id. With interval 0, a run starts as soon as there is something to read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { queueRunsRequested } from '../../../shared/domain/directory/queue-run.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { reportLag } from '../../../shared/kafka/measure-lag.ts';
import {
  liveRead,
  type PartitionPosition,
  type ReadOptions,
  readPartitionsBefore,
} from '../../../shared/kafka/read-partitions.ts';
import { TransactionSuperseded, type Transactor } from '../../../shared/kafka/transactor.ts';
import type { DispatcherContext } from '../context.ts';
import { toBatchMessages } from './batch-lists.ts';
import { enqueuePortion, type Portion, type QueuePosition } from './enqueue-portion.ts';
import { decodeMetadata, encodeMetadata, type LastRun, latestRun, noRun } from './run-metadata.ts';

/** Counts since the start of the process, over all queues that it has run. */
export type QueueCounts = Record<'runs' | 'matched' | 'events' | 'batches', number>;

interface QueueOptions {
  readonly counts: QueueCounts;
  /** Called at the start of each run. */
  onRun(): void;
  /** Called after the queue has stopped because another process has taken over. */
  onSuperseded(error: unknown): void;
}

const RETRY_AFTER_MS = 250;
/** Reads are small, because events beyond the limit of a portion have to be read and decoded again. */
const queueRead: ReadOptions = {
  ...liveRead,
  maxBytes: 1024 * 1024,
  maxBytesPerPartition: 256 * 1024,
};
/** Brokers delete a group's offsets a week after the last commit. */
const RECOMMIT_AFTER_MS = 3_600_000;
/**
 * How long the committed position may lag behind while no event matches. Operators compute the backlog from that
 * position.
 */
const COMMIT_AHEAD_AFTER_MS = 10_000;

export class Queue {
  readonly #context: DispatcherContext;
  readonly #transactor: Transactor;
  readonly #options: QueueOptions;
  /** Used only for fetches, because a waiting fetch blocks later requests on its connection. */
  readonly #reading: KafkaConnection;
  readonly #lookups: KafkaConnection;
  readonly #running: Promise<void>;
  #positions: readonly QueuePosition[] | undefined;
  #known: readonly QueuePosition[] = [];
  /**
   * Stored with the positions, so that the next owner can determine when the next run is due and which requested runs
   * have been made. A run that did not complete is not stored, so the next owner repeats it immediately.
   */
  #lastRun = noRun;
  #committedAt: number;
  /** Whether the current positions are ahead of the committed ones. */
  #isAhead = false;
  /** Whether an entry from a later version blocks the queue. */
  #isHeld = false;
  #closed = false;
  readonly #unfollow: () => void;
  #wake: () => void = () => undefined;

  constructor(context: DispatcherContext, transactor: Transactor, options: QueueOptions) {
    const { clock, follower, kafka, log } = context;
    this.#context = context;
    this.#transactor = transactor;
    this.#options = options;
    this.#reading = createKafkaConnection(kafka, log);
    this.#lookups = createKafkaConnection(kafka, log);
    this.#committedAt = clock.now();
    this.#unfollow = follower.onChange(() => {
      if (this.#requested() > this.#lastRun.requested) this.#wake();
    });
    this.#running = this.#run();
  }

  /** True when the positions are loaded and no entry from a later version blocks the queue. */
  isWorking(): boolean {
    return this.#positions !== undefined && !this.#isHeld;
  }

  /** Returns the last known positions, even while they are being reloaded. Returns none after `close`. */
  positions(): readonly QueuePosition[] {
    return this.#closed ? [] : this.#known;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow();
    this.#wake();
    await Promise.all([this.#reading.close(), this.#lookups.close()]);
    await this.#running;
    await this.#transactor.close();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#positions ??= await this.#loadPositions();
        this.#known = this.#positions;
        await this.#waitForRun();
        if (!this.#closed) await this.#processQueue(this.#positions);
        this.#isHeld = false;
      } catch (err) {
        if (this.#closed) return;
        if (err instanceof TransactionSuperseded) return this.#options.onSuperseded(err);
        await this.#recover(err);
      }
    }
  }

  async #recover(err: unknown): Promise<void> {
    this.#isHeld = err instanceof LaterVersion;
    this.#positions = undefined;
    if (!(err instanceof Unavailable)) throw err;
    // The group coordinators of a new installation take a moment to start, which does not justify a warning.
    this.#context.log[this.#known.length > 0 ? 'warn' : 'info']({ err }, 'queue interrupted');
    await sleep(RETRY_AFTER_MS);
  }

  async #loadPositions(): Promise<readonly QueuePosition[]> {
    const { follower, topics } = this.#context;
    await follower.catchUp();
    const topic = topics.records;
    const partitions = await this.#lookups.partitionsOf(topic);
    const stored = await this.#transactor.positionsWithMetadata(topic);
    const runs = stored.map(({ metadata }) => decodeMetadata(metadata));
    this.#lastRun = latestRun([this.#lastRun, ...runs]);
    return Array.from({ length: partitions }, (_, partition) => {
      const found = stored.find((position) => position.partition === partition);
      if (found === undefined) return { topic, partition, offset: 0n, ...emptyFold };
      const { token, sequence, sealed } = decodeMetadata(found.metadata);
      return { topic, partition, offset: found.offset, token, sequence, sealed };
    });
  }

  #requested(): number {
    return queueRunsRequested(this.#context.follower.directory);
  }

  /** Waits until the interval since the last run's start has passed, or until a run is requested. */
  async #waitForRun(): Promise<void> {
    const { clock, config } = this.#context;
    const { begunAt, requested } = this.#lastRun;
    // Limited to one interval, in case the clock of the previous process was ahead.
    const waitMs = Math.min(
      begunAt + config.queue.intervalMs - clock.now(),
      config.queue.intervalMs,
    );
    if (waitMs <= 0 || this.#requested() > requested) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(waitMs, resolve);
    this.#wake = resolve;
    await promise;
    cancel();
  }

  async #processQueue(start: readonly QueuePosition[]): Promise<void> {
    const { config, clock, topics } = this.#context;
    const run: LastRun = { begunAt: clock.now(), requested: this.#requested() };
    this.#options.counts.runs += 1;
    this.#options.onRun();
    const { records } = topics;
    const ends =
      config.queue.intervalMs > 0
        ? await readEnds(this.#lookups, records, start.length)
        : undefined;
    // All batches of a run have the same time, by which delivery identifies the run. With interval 0, every portion is
    // a run.
    const enqueuedAt = ends === undefined ? clock.now : () => run.begunAt;
    let left =
      config.queue.eventPortionSize === 0
        ? Number.POSITIVE_INFINITY
        : config.queue.eventPortionSize;
    let positions = start;
    while (this.#lastRun !== run && !this.#closed) {
      await this.#context.untilRoom(() => this.#closed);
      const unread = positions.filter((position) => isBefore(position, ends));
      const portion = await this.#readPortion(unread, { events: left, enqueuedAt });
      if (portion === undefined) break;
      left -= portion.taken;
      positions = afterPortion(positions, portion);
      const isLast =
        left <= 0 || ends === undefined || !positions.some((one) => isBefore(one, ends));
      await this.#commit(positions, portion, isLast ? run : this.#lastRun);
    }
    if (!this.#closed) await this.#end(run, positions);
  }

  /** Commits the end of a run if that is due and no portion has committed it. */
  async #end(run: LastRun, positions: readonly QueuePosition[]): Promise<void> {
    const { config, clock } = this.#context;
    // The next owner needs to know the last run to observe the interval and the limits of a run.
    const isUnknown = this.#lastRun !== run && config.queue.intervalMs > 0;
    this.#lastRun = run;
    const due = this.#isAhead ? COMMIT_AHEAD_AFTER_MS : RECOMMIT_AFTER_MS;
    if (isUnknown || clock.now() - this.#committedAt > due) await this.#store([], positions, run);
  }

  async #readPortion(
    unread: readonly QueuePosition[],
    { events, enqueuedAt }: { readonly events: number; readonly enqueuedAt: () => number },
  ): Promise<Portion | undefined> {
    if (unread.length === 0) return undefined;
    const { follower, config, topics } = this.#context;
    const last = { topic: topics.directory, partition: 0, offset: follower.offset() };
    const found = await readPartitionsBefore(this.#reading, { others: unread, last }, queueRead);
    // If a webhook was acknowledged before a record changed, the directory must contain it when the change is matched.
    await (found.endOfLast === undefined ? follower.catchUp() : follower.waitFor(found.endOfLast));
    const read = unread.flatMap((from) => {
      const { topic, partition } = from;
      const same = found.read.find((one) => one.topic === topic && one.partition === partition);
      return same === undefined ? [] : [{ from, found: same }];
    });
    if (read.length === 0) return undefined;
    const limits = { events, batchSize: config.queue.batchSize };
    return enqueuePortion(follower.directory, read, { limits, now: enqueuedAt() });
  }

  async #commit(
    positions: readonly QueuePosition[],
    portion: Portion,
    lastRun: LastRun,
  ): Promise<void> {
    const { config, log } = this.#context;
    const { counts } = this.#options;
    // With interval 0, events without matches need no transaction: they can be read again after a crash.
    if (portion.batches.length > 0 || config.queue.intervalMs > 0) {
      await this.#store(portion.batches, positions, lastRun);
    } else {
      this.#isAhead = true;
    }
    this.#lastRun = lastRun;
    this.#positions = positions;
    this.#known = positions;
    if (portion.batches.length > 0) {
      const { taken, batches } = portion;
      counts.matched += taken;
      counts.batches += batches.length;
      for (const { events } of batches) counts.events += events.length;
      log.info({ events: taken, batches: batches.length }, 'webhook batches enqueued');
    }
  }

  async #store(
    batches: Portion['batches'],
    positions: readonly QueuePosition[],
    lastRun: LastRun,
  ): Promise<void> {
    const { topics, clock } = this.#context;
    const messages = await toBatchMessages(batches, topics.webhookBatches, this.#lookups);
    await this.#transactor.commit(
      messages,
      positions.map((one) => ({ ...one, metadata: encodeMetadata(one, lastRun) })),
    );
    this.#committedAt = clock.now();
    this.#isAhead = false;
  }
}

/** The end of each partition, by its number; undefined means no end. */
type Ends = readonly PartitionPosition[] | undefined;

function isBefore({ partition, offset }: QueuePosition, ends: Ends): boolean {
  return ends === undefined || offset < (ends[partition]?.offset ?? 0n);
}

/** Returns the queue's positions after a portion. */
function afterPortion(
  positions: readonly QueuePosition[],
  portion: Portion,
): readonly QueuePosition[] {
  return positions.map(
    (position) =>
      portion.positions.find(({ partition }) => partition === position.partition) ?? position,
  );
}

/** Registers the queue's metrics. `positions` returns an empty list while another process runs the queue. */
export function measureQueue(
  { kafka, lifecycle, log, metrics }: DispatcherContext,
  positions: () => readonly PartitionPosition[],
): QueueCounts {
  const counts = { runs: 0, matched: 0, events: 0, batches: 0 };
  metrics.read('annals_webhook_queue_runs_total', () => counts.runs);
  metrics.read('annals_webhook_matched_events_total', () => counts.matched);
  metrics.read('annals_webhook_enqueued_events_total', () => counts.events);
  metrics.read('annals_webhook_enqueued_batches_total', () => counts.batches);
  const names = {
    entries: 'annals_webhook_queue_lag_entries',
    seconds: 'annals_webhook_queue_lag_seconds',
  } as const;
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for lags', connection.close);
  reportLag(metrics, names, { connection, positions });
  return counts;
}
