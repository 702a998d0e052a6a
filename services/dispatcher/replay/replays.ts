/**
 * Runs the replays that the directory requests:
 *
 *   wait ──a replay is requested──▶ read ─▶ match ─▶ commit {batches, progress} ─▶ pause ─▶ … to the end of its log
 *    ▲                                                                             │
 *    └── done, cancelled, webhook deleted, or its user lost the permission ◀───────┘
 *
 * Batches and progress are committed in one Kafka transaction, so after a crash, a replay resumes where it stopped, and
 * does not enqueue an event twice. The pause limits the rate, so that replays do not crowd out current events. Replays
 * take turns. They run in the process that runs the queue, with a separate transactional id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  replayStop,
  toWebhookReplay,
  type WebhookReplay,
  webhookReplayType,
} from '../../../shared/domain/directory/webhook-replay.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { toWebhook, type Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import {
  decodeReplayProgress,
  encodeReplayProgress,
  type ReplayProgress,
} from '../../../shared/events/replay-progress.ts';
import type { WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { readCompacted } from '../../../shared/kafka/read-whole.ts';
import { TransactionSuperseded, type Transactor } from '../../../shared/kafka/transactor.ts';
import type { DispatcherContext } from '../context.ts';
import { toBatchMessages } from '../window/batch-lists.ts';
import { replayPortion } from './replay-portion.ts';

const RETRY_AFTER_MS = 500;
const replayRead: ReadOptions = {
  ...liveRead,
  maxBytes: 2 * 1024 * 1024,
  maxBytesPerPartition: 256 * 1024,
};

export class Replays {
  readonly #context: DispatcherContext;
  readonly #connection: KafkaConnection;
  readonly #transactor: Transactor;
  readonly #onSuperseded: (error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #unfollow: () => void;
  #known: Map<string, ReplayProgress> | undefined;
  #wake: () => void = () => undefined;

  constructor(
    context: DispatcherContext,
    transactor: Transactor,
    onSuperseded: (error: unknown) => void,
  ) {
    this.#context = context;
    this.#connection = createKafkaConnection(context.kafka, context.log);
    this.#transactor = transactor;
    this.#onSuperseded = onSuperseded;
    this.#unfollow = context.follower.onChange(() => this.#wake());
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#unfollow();
    this.#wake();
    await this.#connection.close();
    await this.#running;
    await this.#transactor.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        this.#known ??= await this.#load();
        await this.#runRound(this.#known);
      } catch (err) {
        this.#known = undefined;
        if (err instanceof TransactionSuperseded) return this.#onSuperseded(err);
        await this.#recover(err);
      }
    }
  }

  async #recover(err: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    if (!(err instanceof Unavailable)) throw err;
    this.#context.log[err instanceof LaterVersion ? 'warn' : 'info'](
      { err },
      'replays interrupted',
    );
    await this.#pause(RETRY_AFTER_MS);
  }

  /** Fences the previous owner first, so that the topic no longer changes. */
  async #load(): Promise<Map<string, ReplayProgress>> {
    await this.#transactor.takeOver();
    return readCompacted(
      this.#connection,
      this.#context.topics.webhookReplays,
      decodeReplayProgress,
    );
  }

  async #runRound(known: Map<string, ReplayProgress>): Promise<void> {
    const open = openReplays(this.#context, known);
    if (open.length === 0) await this.#waitForChange();
    for (const [replay, webhook] of open) {
      await this.#context.untilRoom(() => this.#stopping.signal.aborted);
      if (this.#stopping.signal.aborted) return;
      const before = known.get(replay.id) ?? begin(replay);
      const after = await this.#step(replay, webhook, before);
      known.set(replay.id, after);
      const enqueued = replay.dryRun ? 0 : after.events - before.events;
      await this.#pause((1000 * enqueued) / this.#context.config.replayEventsPerSecond);
    }
  }

  async #waitForChange(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  async #step(
    replay: WebhookReplay,
    webhook: Webhook,
    before: ReplayProgress,
  ): Promise<ReplayProgress> {
    const { config, directory, log, topics } = this.#context;
    const topic = topics.records;
    const unread = before.positions
      .filter(({ partition, offset }) => offset < (replay.ends[partition] ?? 0n))
      .map(({ partition, offset }) => ({ topic, partition, offset }));
    const read =
      unread.length === 0 ? [] : await readPartitions(this.#connection, unread, replayRead);
    const { batchSize } = config.queue;
    const context = { directory, webhook, replay, batchSize, now: Date.now() };
    const { progress, batches } = replayPortion(before, read, context);
    await this.#commit(replay, progress, batches);
    if (progress.isDone) {
      log.info({ replayId: replay.id, events: progress.events }, 'replay done');
    }
    return progress;
  }

  async #commit(
    { id: key }: WebhookReplay,
    progress: ReplayProgress,
    batches: readonly WebhookBatch[],
  ): Promise<void> {
    const { topics } = this.#context;
    const messages = await toBatchMessages(batches, topics.webhookBatches, this.#connection);
    const value = encodeReplayProgress(progress);
    const entry = { topic: topics.webhookReplays, partition: 0, key, value };
    await this.#transactor.commit([...messages, entry], []);
  }

  async #pause(ms: number): Promise<void> {
    if (ms < 1) return;
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

/** Returns the replays that are not done or cancelled, whose webhook exists, and whose user has the permission. */
function openReplays(
  { directory }: DispatcherContext,
  progress: ReadonlyMap<string, ReplayProgress>,
): readonly (readonly [WebhookReplay, Webhook])[] {
  return directory.records(webhookReplayType).flatMap((state) => {
    const replay = toWebhookReplay(state);
    const webhook = directory.record('Webhook', replay.webhookId);
    const isOver = replay.isCancelled || progress.get(replay.id)?.isDone === true;
    if (isOver || webhook === undefined || webhook.deleted) return [];
    if (replayStop(directory, replay) !== undefined) return [];
    return [[replay, toWebhook(webhook)] as const];
  });
}

function begin({ ends }: WebhookReplay): ReplayProgress {
  const positions = ends.map((_, partition) => ({ partition, offset: 0n, ...emptyFold }));
  return { positions, events: 0, hidden: 0, batches: 0, isDone: false, samples: [] };
}
