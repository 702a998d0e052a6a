import { partitionOf } from '../../../../shared/events/partition-of.ts';
import {
  type AttemptOutcome,
  encodeWebhookAttempt,
  type WebhookExchange,
} from '../../../../shared/events/webhook-attempt-codec.ts';
import {
  encodeWebhookBatch,
  type WebhookBatch,
} from '../../../../shared/events/webhook-batch-codec.ts';
import type { TopicNames } from '../../../../shared/kafka/topics.ts';
import { traceHeaders } from '../../../../shared/kafka/trace-header.ts';
import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';

/** One request, made for a batch. */
export interface MadeRequest {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  /** The number of events sent, without those that the receiver may not read. */
  readonly events: number;
  readonly exchange?: WebhookExchange;
}

/** How the handling of a batch at one place of the log ended. Without `request` no request was made. */
export type BatchEnding =
  | { readonly kind: 'delivered'; readonly request: MadeRequest }
  | {
      readonly kind: 'retried';
      readonly request: MadeRequest;
      readonly reason: string;
      /** Index of the retry topic. */
      readonly retryTopic: number;
      readonly dueAt: number;
      /** The receiver asked for a pause: its end, and whether the attempt does not count. */
      readonly patience?: { readonly notBefore: number; readonly isSpared: boolean };
    }
  /** Goes to the first retry topic without using up an attempt. */
  | { readonly kind: 'postponed'; readonly reason: string; readonly dueAt: number }
  /** Its lane has no room yet. */
  | { readonly kind: 'diverted' }
  | { readonly kind: 'dead'; readonly request?: MadeRequest; readonly reason: string }
  | { readonly kind: 'dropped'; readonly request?: MadeRequest; readonly reason: string };

export interface DeliveryTopics {
  readonly names: TopicNames;
  /** The number of partitions of each of the topics. */
  readonly partitions: number;
}

/** The header of a dead letter with its reason. */
const deadLetterReasonHeader = 'reason';

/** Endings that are recorded as an attempt. */
type TriedEnding = Exclude<BatchEnding, { readonly kind: 'diverted' }>;

const outcomes: Readonly<Record<TriedEnding['kind'], AttemptOutcome>> = {
  delivered: 'delivered',
  retried: 'retry',
  postponed: 'retry',
  dead: 'dead',
  dropped: 'dropped',
};

interface EndingContext {
  readonly topics: DeliveryTopics;
  /** The topic that the batch was read from. */
  readonly from: string;
  readonly now: number;
}

/**
 * The messages that an ending writes: an attempt, and the batch itself if it goes on. A batch that only waits for room,
 * or is postponed again, is not recorded as an attempt: the first postponement already says why it waits, and it may
 * wait for days.
 */
export function toMessages(
  batch: WebhookBatch,
  ending: BatchEnding,
  { topics, from, now }: EndingContext,
): readonly AddressedMessage[] {
  const { names } = topics;
  const partition = partitionOf(batch.webhookId, topics.partitions);
  const messages: AddressedMessage[] = [];
  const isOnceMore = ending.kind === 'postponed' && names.webhookRetries.includes(from);
  if (ending.kind !== 'diverted' && !isOnceMore) {
    const value = encodeAttempt(batch, ending, now);
    messages.push({ topic: names.webhookAttempts, partition, key: batch.webhookId, value });
  }
  const onward = onwardMessage(batch, ending, names);
  if (onward !== undefined) {
    const { headers } = traceHeaders(batch.traceparent);
    messages.push({ partition, ...onward, headers: { ...headers, ...onward.headers } });
  }
  return messages;
}

/** A message that is no batch goes to the dead letters as it is. */
export function toUnreadableLetter(
  message: { readonly key: string | null; readonly value: Buffer | null },
  reason: string,
  names: TopicNames,
): AddressedMessage {
  return deadLetter(message.key ?? '', message.value ?? Buffer.alloc(0), { reason, names });
}

/** Null for endings without a reason. */
export function reasonOf(ending: BatchEnding): string | null {
  return 'reason' in ending ? ending.reason : null;
}

function encodeAttempt(batch: WebhookBatch, ending: TriedEnding, now: number): Buffer {
  const request = 'request' in ending ? ending.request : undefined;
  return encodeWebhookAttempt({
    batchId: batch.batchId,
    webhookId: batch.webhookId,
    attempt: request === undefined ? 0 : batch.attemptsMade + 1,
    at: request?.startedAt ?? now,
    outcome: outcomes[ending.kind],
    status: request?.status ?? null,
    reason: reasonOf(ending),
    durationMs: request?.durationMs ?? 0,
    events: request?.events ?? batch.events.length,
    ...(request?.exchange === undefined ? {} : { exchange: request.exchange }),
  });
}

type OnwardMessage = Omit<AddressedMessage, 'partition'> & { readonly partition?: number };

function onwardMessage(
  batch: WebhookBatch,
  ending: BatchEnding,
  names: TopicNames,
): OnwardMessage | undefined {
  const attemptsMade = batch.attemptsMade + ('request' in ending ? 1 : 0);
  const key = batch.webhookId;
  switch (ending.kind) {
    case 'delivered':
    case 'dropped':
      return undefined;
    case 'retried': {
      const { dueAt, patience } = ending;
      const sparedAttempts = (batch.sparedAttempts ?? 0) + (patience?.isSpared === true ? 1 : 0);
      const notBefore = patience?.notBefore ?? 0;
      const value = encodeWebhookBatch({
        ...batch,
        attemptsMade,
        sparedAttempts,
        notBefore,
        dueAt,
      });
      return { topic: retryTopic(names, ending.retryTopic), key, value };
    }
    case 'postponed': {
      const value = encodeWebhookBatch({ ...batch, dueAt: ending.dueAt });
      return { topic: retryTopic(names, 0), key, value };
    }
    case 'diverted':
      return { topic: names.webhookOverflow, key, value: encodeWebhookBatch(batch) };
    case 'dead': {
      const value = encodeWebhookBatch({ ...batch, attemptsMade });
      return deadLetter(key, value, { reason: ending.reason, names });
    }
  }
}

function retryTopic(names: TopicNames, index: number): string {
  return names.webhookRetries[index] ?? names.webhookRetries[2];
}

function deadLetter(
  key: string,
  value: Buffer,
  { reason, names }: { readonly reason: string; readonly names: TopicNames },
): AddressedMessage {
  const headers = { [deadLetterReasonHeader]: reason };
  return { topic: names.webhookDeadLetters, partition: 0, key, value, headers };
}
