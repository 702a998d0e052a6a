import { sequencesHeader, toSequencesText } from '../../../../shared/events/event-sequences.ts';
import { partitionOf } from '../../../../shared/events/partition-of.ts';
import type { SchemaVersions } from '../../../../shared/events/schema-versions.ts';
import {
  type AttemptOutcome,
  encodeWebhookAttempt,
  type WebhookExchange,
} from '../../../../shared/events/webhook-attempt-codec.ts';
import {
  encodeWebhookBatch,
  type WebhookBatch,
} from '../../../../shared/events/webhook-batch-codec.ts';
import { versionsOf } from '../../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../../shared/kafka/topics.ts';
import { traceHeaders } from '../../../../shared/kafka/trace-header.ts';
import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';
import type { DispatcherContext } from '../../context.ts';

/** A request that was made for a batch. */
export interface MadeRequest {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  /** The number of events sent. Events that the receiver may not read are not sent. */
  readonly events: number;
  readonly exchange?: WebhookExchange;
}

/**
 * The outcome of a batch at one place in the log: the batch has ended, or moves to another topic. Without `request`, no
 * request was made.
 */
export type Outcome =
  | { readonly kind: 'delivered'; readonly request: MadeRequest }
  | {
      readonly kind: 'retried';
      readonly request: MadeRequest;
      readonly reason: string;
      /** The index of the retry topic. */
      readonly retryTopic: number;
      readonly dueAt: number;
      /** Set if the receiver requested a pause: its end, and whether the attempt is exempt from the limit. */
      readonly patience?: { readonly notBefore: number; readonly isSpared: boolean };
    }
  /** Moves to the first retry topic without using up an attempt. */
  | { readonly kind: 'postponed'; readonly reason: string; readonly dueAt: number }
  /** Moves to the overflow, because its queue has no room. */
  | { readonly kind: 'overflowed' }
  | { readonly kind: 'dead'; readonly request?: MadeRequest; readonly reason: string }
  | { readonly kind: 'dropped'; readonly request?: MadeRequest; readonly reason: string };

/** The dead letter header that contains the reason. */
const deadLetterReasonHeader = 'reason';

/** The outcomes that are recorded as an attempt. */
type AttemptedOutcome = Exclude<Outcome, { readonly kind: 'overflowed' }>;

const attemptOutcomes: Readonly<Record<AttemptedOutcome['kind'], AttemptOutcome>> = {
  delivered: 'delivered',
  retried: 'retry',
  postponed: 'retry',
  dead: 'dead',
  dropped: 'dropped',
};

/**
 * Returns the messages that an outcome writes: an attempt, and the batch itself if it moves to another topic. No
 * attempt is recorded if a batch only waits for room or is postponed again, because it may wait for days, and the first
 * postponement already states the reason. `from` is the topic from which the batch was read.
 */
export function toMessages(
  batch: WebhookBatch,
  outcome: Outcome,
  { from, context }: { readonly from: string; readonly context: DispatcherContext },
): readonly AddressedMessage[] {
  const { clock, kafka, partitions, topics } = context;
  const write = versionsOf(kafka)();
  const partition = partitionOf(batch.webhookId, partitions);
  const messages: AddressedMessage[] = [];
  const isOnceMore = outcome.kind === 'postponed' && topics.webhookRetries.includes(from);
  if (outcome.kind !== 'overflowed' && !isOnceMore) {
    const value = encodeAttempt(batch, outcome, { now: clock.now(), write });
    const sequences = toSequencesText(batch.events);
    const headers = sequences === undefined ? {} : { [sequencesHeader]: sequences };
    messages.push({
      topic: topics.webhookAttempts,
      partition,
      key: batch.webhookId,
      value,
      headers,
    });
  }
  const onward = onwardMessage(batch, outcome, { topics, write });
  if (onward !== undefined) {
    const { headers } = traceHeaders(batch.traceparent);
    messages.push({ partition, ...onward, headers: { ...headers, ...onward.headers } });
  }
  return messages;
}

/** Returns the dead letter for a message that is not a batch. The key and value stay unchanged. */
export function toUnreadableLetter(
  message: { readonly key: string | null; readonly value: Buffer | null },
  reason: string,
  names: TopicNames,
): AddressedMessage {
  const { key, value } = message;
  const topic = names.webhookDeadLetters;
  const letter = { topic, key: key ?? '', value: value ?? Buffer.alloc(0), isForeign: true };
  return asDeadLetter(letter, reason);
}

/** Returns null for outcomes without a reason. */
export function reasonOf(outcome: Outcome): string | null {
  return 'reason' in outcome ? outcome.reason : null;
}

function encodeAttempt(
  batch: WebhookBatch,
  outcome: AttemptedOutcome,
  { now, write }: { readonly now: number; readonly write: SchemaVersions },
): Buffer {
  const request = 'request' in outcome ? outcome.request : undefined;
  const attempt = {
    batchId: batch.batchId,
    webhookId: batch.webhookId,
    attempt: request === undefined ? 0 : batch.attemptsMade + 1,
    at: request?.startedAt ?? now,
    outcome: attemptOutcomes[outcome.kind],
    status: request?.status ?? null,
    reason: reasonOf(outcome),
    durationMs: request?.durationMs ?? 0,
    events: request?.events ?? batch.events.length,
    ...(request?.exchange === undefined ? {} : { exchange: request.exchange }),
  };
  return encodeWebhookAttempt(attempt, write);
}

type OnwardMessage = Omit<AddressedMessage, 'partition'> & { readonly partition?: number };

function onwardMessage(
  batch: WebhookBatch,
  outcome: Outcome,
  { topics, write }: { readonly topics: TopicNames; readonly write: SchemaVersions },
): OnwardMessage | undefined {
  const send = (topic: string, change: Partial<WebhookBatch> = {}): OnwardMessage => {
    const value = encodeWebhookBatch({ ...batch, ...change }, write);
    return { topic, key: batch.webhookId, value };
  };
  const attemptsMade = batch.attemptsMade + ('request' in outcome ? 1 : 0);
  switch (outcome.kind) {
    case 'delivered':
    case 'dropped':
      return undefined;
    case 'retried': {
      const { dueAt, patience, retryTopic } = outcome;
      const sparedAttempts = (batch.sparedAttempts ?? 0) + (patience?.isSpared === true ? 1 : 0);
      const notBefore = patience?.notBefore ?? 0;
      const topic = topics.webhookRetries[retryTopic] ?? topics.webhookRetries[2];
      return send(topic, { attemptsMade, sparedAttempts, notBefore, dueAt });
    }
    case 'postponed':
      return send(topics.webhookRetries[0], { dueAt: outcome.dueAt });
    case 'overflowed':
      return send(topics.webhookOverflow);
    case 'dead':
      return asDeadLetter(send(topics.webhookDeadLetters, { attemptsMade }), outcome.reason);
  }
}

function asDeadLetter(message: OnwardMessage, reason: string): AddressedMessage {
  return { ...message, partition: 0, headers: { [deadLetterReasonHeader]: reason } };
}
