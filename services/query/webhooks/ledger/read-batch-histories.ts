import { Refusal } from '../../../../shared/domain/errors.ts';
import { decodeReadable } from '../../../../shared/events/decode-readable.ts';
import {
  decodeWebhookAttempt,
  droppedByOperator,
} from '../../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  isTestBatch,
  type WebhookBatch,
} from '../../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import type { PartitionPosition, ReadOptions } from '../../../../shared/kafka/read-partitions.ts';
import { type TopicNames, waitingTopics } from '../../../../shared/kafka/topics.ts';
import { readTopic } from './read-topic.ts';

/** Returns whether delivery still has to handle the message at a position in the log. */
export type OpenPlaces = (place: PartitionPosition) => boolean;

type BatchState = 'delivered' | 'dead' | 'dropped' | 'waiting';

/** The history of a batch, from the topics. */
export interface BatchHistory {
  readonly batchId: string;
  readonly webhookId: string;
  readonly replayId: string | undefined;
  readonly events: readonly { readonly eventId: string; readonly occurredAt: number }[];
  /** Number of times the batch was enqueued: once, plus once per redelivery. */
  enqueued: number;
  /** Number of outcomes recorded for the batch. */
  ended: number;
  /**
   * Number of the batch's open places without a recorded outcome. More than one while the batch moves to another topic.
   */
  places: number;
  state: BatchState;
  reason: string | null;
  /** Number of events that were omitted from the delivering request. */
  withheld: number;
}

export type BatchHistories = ReadonlyMap<string, BatchHistory>;

interface Source {
  readonly connection: KafkaConnection;
  readonly topics: TopicNames;
}

export interface HistoryOptions {
  /** Only the batches of this webhook. */
  readonly webhook?: string | undefined;
  /**
   * Maximum number of events in all batches together. Limits the memory. Above this number, reading throws a Refusal.
   */
  readonly mostEvents?: number | undefined;
  /** How much is read in one request and processed without a pause. */
  readonly portion?: ReadOptions | undefined;
  /** The places must be read before the topics. Without this function, `places` is not counted. */
  readonly isOpen?: OpenPlaces | undefined;
}

interface FinalOutcome {
  readonly count: number;
  readonly state: BatchState;
  readonly reason: string | null;
  readonly events: number;
}

/**
 * Reads all batches that were ever enqueued, and their states, except test batches. Outcomes are read first, so that in
 * a running system each outcome has its batch. Retry topics are read last, so that a batch that moves during the reads
 * is found at its next place.
 */
export async function readBatchHistories(
  source: Source,
  options: HistoryOptions = {},
): Promise<BatchHistories> {
  const { isOpen, portion, mostEvents = Number.POSITIVE_INFINITY } = options;
  const outcomes = await readOutcomes(source, options);
  const histories = new Map<string, BatchHistory>();
  const topic = source.topics.webhookBatches;
  let events = 0;
  await readTopic(source.connection, {
    topic,
    portion,
    onMessage(partition, message) {
      const { offset } = message;
      const batch = decodeReadable(message, decodeWebhookBatch);
      if (batch === undefined || isTestBatch(batch) || !isWanted(options, batch)) return;
      const known = histories.get(batch.batchId);
      const entry = known ?? newEntry(batch);
      if (known === undefined) events += batch.events.length;
      if (events > mostEvents) throw tooMany(mostEvents);
      histories.set(batch.batchId, entry);
      entry.enqueued += 1;
      if (isOpen?.({ topic, partition, offset }) === true) entry.places += 1;
    },
  });
  for (const entry of histories.values()) applyOutcome(entry, outcomes.get(entry.batchId));
  if (isOpen !== undefined) {
    await countOnward(source, { ...options, isOpen }, histories);
    if ([...histories.values()].some(isLost)) {
      leaveOutEnded(histories, await readOutcomes(source, options));
    }
  }
  return histories;
}

function isWanted({ webhook }: HistoryOptions, batch: { readonly webhookId: string }): boolean {
  return webhook === undefined || batch.webhookId === webhook;
}

function tooMany(mostEvents: number): Refusal {
  const message = `This webhook has more than ${mostEvents} events. Use annals verify --webhooks instead.`;
  return new Refusal('too_large', 'webhook.account_too_large', message);
}

/** Returns true if delivery will never find the batch: it has neither an outcome nor an open place. */
export function isLost({ enqueued, ended, places }: BatchHistory): boolean {
  return places < enqueued - ended;
}

async function readOutcomes(
  { connection, topics }: Source,
  options: HistoryOptions,
): Promise<ReadonlyMap<string, FinalOutcome>> {
  const { portion } = options;
  const outcomes = new Map<string, FinalOutcome>();
  await readTopic(connection, {
    topic: topics.webhookAttempts,
    portion,
    onMessage(_, message) {
      const attempt = decodeReadable(message, decodeWebhookAttempt);
      if (attempt === undefined || attempt.outcome === 'retry') return;
      if (!isWanted(options, attempt)) return;
      const { batchId, outcome: state, reason, events } = attempt;
      // A batch that an operator drops has already ended as a dead letter.
      const ended = outcomes.get(batchId)?.count ?? 0;
      const count = reason === droppedByOperator ? ended : ended + 1;
      outcomes.set(batchId, { count, state, reason, events });
    },
  });
  return outcomes;
}

function newEntry({ batchId, webhookId, replayId, events }: WebhookBatch): BatchHistory {
  return {
    batchId,
    webhookId,
    replayId,
    events: events.map(({ eventId, occurredAt }) => ({ eventId, occurredAt })),
    enqueued: 0,
    ended: 0,
    places: 0,
    state: 'waiting',
    reason: null,
    withheld: 0,
  };
}

/** Counts open places in the retry and overflow topics. Batches move between these in both directions. */
async function countOnward(
  { connection, topics }: Source,
  { isOpen, portion }: HistoryOptions & { readonly isOpen: OpenPlaces },
  histories: BatchHistories,
): Promise<void> {
  for (const topic of waitingTopics(topics)) {
    await readTopic(connection, {
      topic,
      portion,
      onMessage(partition, message) {
        if (!isOpen({ topic, partition, offset: message.offset })) return;
        const batch = decodeReadable(message, decodeWebhookBatch);
        const entry = batch === undefined ? undefined : histories.get(batch.batchId);
        if (entry !== undefined) entry.places += 1;
      },
    });
  }
}

/**
 * Corrects batches that ended during the reads: they are no longer at their place, and the topic may have been trimmed
 * there.
 */
function leaveOutEnded(
  histories: BatchHistories,
  outcomes: ReadonlyMap<string, FinalOutcome>,
): void {
  for (const entry of histories.values()) {
    const ended = outcomes.get(entry.batchId)?.count ?? 0;
    if (isLost(entry) && ended > entry.ended) entry.places += ended - entry.ended;
  }
}

/** A batch that was enqueued again and has no later outcome is waiting again. */
function applyOutcome(entry: BatchHistory, outcome: FinalOutcome | undefined): void {
  entry.ended = outcome?.count ?? 0;
  if (outcome === undefined || entry.ended < entry.enqueued) return;
  entry.state = outcome.state;
  entry.reason = outcome.reason;
  if (outcome.state === 'delivered') entry.withheld = entry.events.length - outcome.events;
}
