import { readBatchHistories } from '../../../services/query/webhooks/ledger/read-batch-histories.ts';
import { readTopic } from '../../../services/query/webhooks/ledger/read-topic.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { showWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import {
  droppedByOperator,
  encodeWebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  encodeWebhookBatch,
  toFreshBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import { urlOfWebhook, withUrl } from '../../../shared/installation/webhook-name.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { fetchCommonVersions } from '../../../shared/kafka/group/agree-on-versions.ts';
import { readBatchMessage } from '../../../shared/kafka/read-batch-message.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { readDirectory, requireKnownWebhook } from '../read-directory.ts';

export interface DeadLetterOptions {
  readonly webhook?: string;
  readonly all?: boolean;
}

export type DeadLetterAction = 'show' | 'send' | 'drop';

interface DeadLetterRequest extends DeadLetterOptions {
  readonly action: DeadLetterAction;
  /** An empty list selects all dead letters, or all dead letters of the webhook if one is given. */
  readonly ids: readonly string[];
}

/** `annals dead-letters list`. */
export async function listDeadLetters(
  context: CommandContext,
  { webhook }: DeadLetterOptions,
): Promise<void> {
  await withLetters(context, webhook, async ({ letters, unreadable }) => {
    const list = letters.map(toSummary);
    const odd = unreadable === 0 ? '' : ` ${counted(unreadable, 'message')} cannot be decoded.`;
    context.printResult({ list, unreadable }, [
      ...list.map(
        ({ id, webhookId, url, event, enqueuedAt, events, attemptsMade, reason }) =>
          `${id} ${enqueuedAt} ${withUrl(webhookId, url)} ${event}: ${counted(events, 'event')}, ${counted(attemptsMade, 'attempt')}, ${reason}`,
      ),
      `${counted(list.length, 'dead letter')}.${odd}`,
    ]);
  });
}

/** `annals dead-letters show|send|drop`. */
export async function takeDeadLetters(
  context: CommandContext,
  { action, ids, webhook }: DeadLetterRequest,
): Promise<void> {
  const { printResult, confirm } = context;
  await withLetters(context, webhook, async (found) => {
    const chosen = { ...found, letters: choose(found.letters, ids) };
    if (action === 'show') {
      const list = await readWhole(chosen);
      const lines = list.map((one) => JSON.stringify(one, null, 2));
      return printResult({ list }, lines);
    }
    const count = chosen.letters.length;
    if (action === 'send') await send(chosen);
    else {
      await confirm(`Drop ${counted(count, 'dead letter')}? Their events will not be delivered.`);
      await drop(chosen);
    }
    const done = action === 'send' ? 'enqueued again' : 'dropped';
    printResult({ [action]: count }, [`${counted(count, 'dead letter')} ${done}.`]);
  });
}

/** An abandoned batch that has not been sent again or dropped since. Its events stay in the topic. */
interface DeadLetter {
  readonly batch: Omit<WebhookBatch, 'events'> & { readonly eventCount: number };
  readonly reason: string | null;
  readonly url: string | null;
  readonly partition: number;
  readonly offset: bigint;
  readonly bytes: number;
}

interface DeadLetters {
  readonly connection: KafkaConnection;
  readonly topics: TopicNames;
  /** Oldest first. */
  readonly letters: readonly DeadLetter[];
  /** The number of messages that are not batches and therefore cannot be sent. */
  readonly unreadable: number;
}

async function withLetters(
  { installation }: CommandContext,
  webhook: string | undefined,
  work: (found: DeadLetters) => Promise<void>,
): Promise<void> {
  const { kafka, topics, log } = installation;
  const versions = await fetchCommonVersions(installation);
  await withKafka({ kafka: { ...kafka, versions: () => versions }, log }, async (connection) => {
    const directory = await readDirectory(installation);
    if (webhook !== undefined) requireKnownWebhook(directory, webhook);
    const found = new Map<string, Omit<DeadLetter, 'reason' | 'url'>>();
    let unreadable = 0;
    await readTopic(connection, {
      topic: topics.webhookDeadLetters,
      onMessage(partition, message) {
        const read = readBatchMessage(message);
        if (typeof read === 'string') {
          unreadable += 1;
          return;
        }
        const { events, ...rest } = read;
        const batch = { ...rest, eventCount: events.length };
        const { offset, value } = message;
        found.set(batch.batchId, { batch, partition, offset, bytes: value?.length ?? 0 });
      },
    });
    const histories = await readBatchHistories({ connection, topics });
    const letters = [...found.values()].flatMap((letter) => {
      const { batchId, webhookId } = letter.batch;
      const entry = histories.get(batchId);
      const isWanted = entry?.state === 'dead' && (webhook ?? webhookId) === webhookId;
      const url = urlOfWebhook(directory, webhookId);
      return isWanted ? [{ ...letter, reason: entry.reason, url }] : [];
    });
    await work({ connection, topics, letters, unreadable });
  });
}

/** Returns the dead letters with these ids, each only once. Throws OperatorError for an unknown id. */
function choose(letters: readonly DeadLetter[], ids: readonly string[]): readonly DeadLetter[] {
  if (ids.length === 0) return letters;
  return [...new Set(ids)].map((id) => {
    const found = letters.find(({ batch }) => batch.batchId === id);
    if (found === undefined) throw new OperatorError(`Dead letter ${id} does not exist.`);
    return found;
  });
}

function toSummary({ batch, reason, url }: DeadLetter) {
  const { batchId: id, webhookId, event, eventCount: events, attemptsMade } = batch;
  const enqueuedAt = new Date(batch.enqueuedAt).toISOString();
  return { id, webhookId, url, event, enqueuedAt, events, attemptsMade, reason };
}

/** All batches to show are held in memory. */
const MAX_SHOWN_BYTES = 64 * 1024 * 1024;

async function readWhole(chosen: DeadLetters) {
  const { letters } = chosen;
  if (letters.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_SHOWN_BYTES) {
    throw new OperatorError(
      'These dead letters exceed 64 MiB: run the command several times, each time with some of the ids.',
    );
  }
  const bodies = new Map<string, unknown>();
  await readBatches(chosen, async (batch) => {
    bodies.set(batch.batchId, showWebhookBody(batch));
  });
  return letters.map((letter) => ({
    ...toSummary(letter),
    body: bodies.get(letter.batch.batchId) ?? null,
  }));
}

/** Reads the batches with their events, one portion of the topic at a time. */
async function readBatches(
  { connection, topics, letters }: DeadLetters,
  take: (batch: WebhookBatch) => Promise<void>,
): Promise<void> {
  const wanted = new Set(letters.map(({ partition, offset }) => `${partition}/${offset}`));
  let found: WebhookBatch[] = [];
  await readTopic(connection, {
    topic: topics.webhookDeadLetters,
    onMessage(partition, message) {
      if (!wanted.has(`${partition}/${message.offset}`)) return;
      const batch = readBatchMessage(message);
      if (typeof batch !== 'string') found.push(batch);
    },
    async afterPortion() {
      for (const batch of found) await take(batch);
      found = [];
    },
  });
}

/** Enqueues the batches again, with the same ids and bytes. */
async function send(chosen: DeadLetters): Promise<void> {
  const { connection, topics } = chosen;
  const append = createAppendCoded(connection);
  const partitions = await connection.partitionsOf(topics.webhookBatches);
  await readBatches(chosen, async (batch) => {
    const { webhookId: key, traceparent } = batch;
    const again = toFreshBatch(batch, Date.now());
    const value = encodeWebhookBatch(again, connection.versions());
    const message = { key, value, ...traceHeaders(traceparent) };
    await append(topics.webhookBatches, partitionOf(key, partitions), [message]);
  });
}

/** Drops the batches. They stay in their topic, and count as dropped. */
async function drop({ connection, topics, letters }: DeadLetters): Promise<void> {
  const append = createAppendCoded(connection);
  const partitions = await connection.partitionsOf(topics.webhookAttempts);
  for (const { batch } of letters) {
    const { batchId, webhookId: key, eventCount: events } = batch;
    const end = { outcome: 'dropped', reason: droppedByOperator, at: Date.now() } as const;
    const unsent = { attempt: 0, status: null, durationMs: 0 };
    const attempt = { batchId, webhookId: key, events, ...end, ...unsent };
    const value = encodeWebhookAttempt(attempt, connection.versions());
    await append(topics.webhookAttempts, partitionOf(key, partitions), [{ key, value }]);
  }
}
