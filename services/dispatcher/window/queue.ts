/**
 * "Process Webhook Queue":
 *
 *   wait ──interval, or requested──▶ run: read ─▶ match ─▶ commit {batches, positions} ─▶ … to the end as of its start
 *    ▲                                                                                     or to the portion's limit
 *    └─────────────────────────────────────────────────────────────────────────────────────┘
 *
 * The records log itself is the queue: between two runs nothing is held in memory, and the remaining events stay in
 * Kafka. The batches of a round are committed with the positions behind their events in one Kafka transaction. After a
 * crash the same events are read again, and no event is enqueued twice. One process at a time runs the queue
 * (leader-task.ts); if two do, the newer one fences the older one by the transactional id. With interval 0 a run starts
 * as soon as there is something to read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { queueRunsRequested } from '../../../shared/domain/directory/queue-run.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type ReadOptions,
  readPartitionsBefore,
} from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { TransactionSuperseded, type Transactor } from '../../../shared/kafka/transactor.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { StorageWatch } from '../../../shared/storage/watch-storage.ts';
import { enqueuePortion, type Portion, type QueuePosition } from './enqueue-portion.ts';
import type { QueueCounts } from './measure-queue.ts';
import { afterPortion, isBefore } from './queue-positions.ts';
import { decodeMetadata, encodeMetadata, type LastRun, latestRun, noRun } from './run-metadata.ts';
import { toBatchMessages } from './to-batch-messages.ts';

export interface QueueConfig {
  /** 0: a run starts whenever there are events. */
  readonly intervalMs: number;
  /** Matched events per run; 0 means all. */
  readonly eventPortionSize: number;
  readonly batchSize: number;
}

interface QueueDeps {
  /** Used for fetches only: a waiting fetch blocks later requests of its connection. */
  readonly reading: KafkaConnection;
  readonly lookups: KafkaConnection;
  readonly transactor: Transactor;
  readonly follower: DirectoryFollower;
  readonly topics: TopicNames;
  readonly config: QueueConfig;
  /** Resolves once the disks have room for the messages that an event causes, or the work is cancelled. */
  readonly untilRoom: StorageWatch['untilRoom'];
  readonly onRun: () => void;
  readonly counts: QueueCounts;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called after the queue stopped because another process has taken over. */
  readonly onSuperseded: (error: unknown) => void;
}

const RETRY_AFTER_MS = 250;
/** Reads are small because events beyond the portion's limit are read and decoded again. */
const queueRead: ReadOptions = {
  ...liveRead,
  maxBytes: 1024 * 1024,
  maxBytesPerPartition: 256 * 1024,
};
/** Brokers delete a group's offsets a week after the last commit. */
const RECOMMIT_AFTER_MS = 3_600_000;
/** The longest lag of the committed position while no event matches. Operators compute the backlog from it. */
const COMMIT_AHEAD_AFTER_MS = 10_000;

export class Queue {
  readonly #deps: QueueDeps;
  readonly #running: Promise<void>;
  #positions: readonly QueuePosition[] | undefined;
  #known: readonly QueuePosition[] = [];
  /**
   * Stored with the positions, so that a successor knows when the next run is due and which requests are served. A run
   * that did not complete is not stored, and a successor repeats it immediately.
   */
  #lastRun = noRun;
  #committedAt: number;
  /** Whether the position is ahead of the committed one. */
  #isAhead = false;
  /** Whether an entry of a later version blocks the queue. */
  #isHeld = false;
  #closed = false;
  readonly #unfollow: () => void;
  #wake: () => void = () => undefined;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#committedAt = deps.clock.now();
    this.#unfollow = deps.follower.onChange(() => {
      if (this.#requested() > this.#lastRun.requested) this.#wake();
    });
    this.#running = this.#run();
  }

  /** True when the positions are loaded and no entry of a later version blocks the queue. */
  isWorking(): boolean {
    return this.#positions !== undefined && !this.#isHeld;
  }

  /** The last known positions, also while they are loaded again. Empty after `close`. */
  positions(): readonly QueuePosition[] {
    return this.#closed ? [] : this.#known;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow();
    this.#wake();
    await Promise.all([this.#deps.reading.close(), this.#deps.lookups.close()]);
    await this.#running;
    await this.#deps.transactor.close();
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
        if (err instanceof TransactionSuperseded) return this.#deps.onSuperseded(err);
        await this.#recover(err);
      }
    }
  }

  async #recover(err: unknown): Promise<void> {
    this.#isHeld = err instanceof LaterVersion;
    this.#positions = undefined;
    if (!(err instanceof Unavailable)) throw err;
    // The coordinators of a new installation take a moment to start, which does not justify a warning.
    this.#deps.log[this.#known.length > 0 ? 'warn' : 'info']({ err }, 'queue interrupted');
    await sleep(RETRY_AFTER_MS);
  }

  async #loadPositions(): Promise<readonly QueuePosition[]> {
    const { follower, transactor, lookups, topics } = this.#deps;
    await follower.catchUp();
    const topic = topics.records;
    const partitions = await lookups.partitionsOf(topic);
    const stored = await transactor.positionsWithMetadata(topic);
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
    return queueRunsRequested(this.#deps.follower.directory);
  }

  /** Waits for the interval since the last run's start, or until a run is requested. */
  async #waitForRun(): Promise<void> {
    const { clock, config } = this.#deps;
    const { begunAt, requested } = this.#lastRun;
    // Limited to one interval, in case the clock of the process that ran last was ahead.
    const waitMs = Math.min(begunAt + config.intervalMs - clock.now(), config.intervalMs);
    if (waitMs <= 0 || this.#requested() > requested) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(waitMs, resolve);
    this.#wake = resolve;
    await promise;
    cancel();
  }

  async #processQueue(start: readonly QueuePosition[]): Promise<void> {
    const { lookups, config, counts, onRun, clock, topics } = this.#deps;
    const run: LastRun = { begunAt: clock.now(), requested: this.#requested() };
    counts.runs += 1;
    onRun();
    const { records } = topics;
    const ends = config.intervalMs > 0 ? await readEnds(lookups, records, start.length) : undefined;
    // Batches of a run have the same time, by which delivery recognizes the run. With interval 0 every portion is a run.
    const enqueuedAt = ends === undefined ? clock.now : () => run.begunAt;
    let left = config.eventPortionSize === 0 ? Number.POSITIVE_INFINITY : config.eventPortionSize;
    let positions = start;
    while (this.#lastRun !== run && !this.#closed) {
      await this.#deps.untilRoom(() => this.#closed);
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
    const { config, clock } = this.#deps;
    // A successor needs the last run to keep the interval and the limits of a run.
    const isUnknown = this.#lastRun !== run && config.intervalMs > 0;
    this.#lastRun = run;
    const due = this.#isAhead ? COMMIT_AHEAD_AFTER_MS : RECOMMIT_AFTER_MS;
    if (isUnknown || clock.now() - this.#committedAt > due) await this.#store([], positions, run);
  }

  async #readPortion(
    unread: readonly QueuePosition[],
    { events, enqueuedAt }: { readonly events: number; readonly enqueuedAt: () => number },
  ): Promise<Portion | undefined> {
    if (unread.length === 0) return undefined;
    const { reading, follower, config, topics } = this.#deps;
    const last = { topic: topics.directory, partition: 0, offset: follower.offset() };
    const found = await readPartitionsBefore(reading, { others: unread, last }, queueRead);
    // Ensures that a webhook which was acknowledged before a record changed is known when the change is matched.
    await (found.endOfLast === undefined ? follower.catchUp() : follower.waitFor(found.endOfLast));
    const read = unread.flatMap((from) => {
      const { topic, partition } = from;
      const same = found.read.find((one) => one.topic === topic && one.partition === partition);
      return same === undefined ? [] : [{ from, found: same }];
    });
    if (read.length === 0) return undefined;
    const limits = { events, batchSize: config.batchSize };
    return enqueuePortion(follower.directory, read, { limits, now: enqueuedAt() });
  }

  async #commit(
    positions: readonly QueuePosition[],
    portion: Portion,
    lastRun: LastRun,
  ): Promise<void> {
    const { config, counts, log } = this.#deps;
    // With interval 0, events without matches need no transaction: after a crash they are read again.
    if (portion.batches.length > 0 || config.intervalMs > 0) {
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
    const { lookups, topics, transactor, clock } = this.#deps;
    const messages = await toBatchMessages(batches, topics.webhookBatches, lookups);
    await transactor.commit(
      messages,
      positions.map((one) => ({ ...one, metadata: encodeMetadata(one, lastRun) })),
    );
    this.#committedAt = clock.now();
    this.#isAhead = false;
  }
}
