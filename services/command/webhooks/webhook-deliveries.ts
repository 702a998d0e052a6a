import { type BatchFilter, findDelivery, listBatches } from '../../../shared/db/webhook-store.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { requireActingUser } from '../../../shared/domain/directory/acting-user.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { toWebhook, type Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import {
  encodeWebhookBatch,
  toFreshBatch,
  type WebhookBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { CommandContext } from '../context.ts';
import { findLatestEvent } from './find-latest-event.ts';
import { sampleBatch, testBatch } from './sample-batch.ts';
import { requireLiveWebhook } from './webhook-rules.ts';

interface WebhookRequest {
  readonly actor: Actor;
  readonly id: string;
}

/** Selects batches to send again. Exactly one of the first three is set. */
export interface Redelivery {
  readonly batchId?: string;
  /** All batches enqueued since this time, in milliseconds since 1970. */
  readonly since?: number;
  readonly deadLetters?: boolean;
  /** Only batches after this one. */
  readonly after?: BatchFilter['after'];
}

interface Redelivered {
  readonly count: number;
  /** The last batch that was enqueued again, if more batches follow. */
  readonly last?: WebhookBatch;
}

const MAX_BATCHES = 10_000;
const PAGE_BATCHES = 500;
const MAX_APPEND_BYTES = 800_000;

/**
 * Enqueues a test batch, even for an inactive webhook: a sample, or the latest event that the webhook would send. Returns
 * the id of the delivery.
 */
export async function sendTest(
  context: CommandContext,
  { actor, id }: WebhookRequest,
  { isLatest }: { readonly isLatest: boolean },
): Promise<{ readonly deliveryId: string }> {
  const webhook = toWebhook(requireLiveWebhook(context.directory, actor, id));
  context.requireRoom('Webhook');
  const batch = isLatest
    ? testBatch(webhook, await requireLatest(context, actor, webhook), context.now())
    : sampleBatch(context.directory, webhook, context.now());
  await context.enqueue([batch]);
  return { deliveryId: batch.batchId };
}

async function requireLatest(
  context: CommandContext,
  actor: Actor,
  webhook: Webhook,
): Promise<WebhookEvent> {
  const latest = await findLatestEvent(context, actor, webhook);
  if (latest !== undefined) return latest;
  const message =
    "No past event of this webhook was found that its user may read. Send a sample instead, without 'latest'.";
  throw new Refusal('not_found', 'webhook.no_past_event', message);
}

/** Enqueues batches again, oldest first, with the same ids and bytes. At most 10,000 per call. */
export async function redeliver(
  context: CommandContext,
  request: WebhookRequest,
  what: Redelivery,
): Promise<Redelivered> {
  const { actor, id } = request;
  requireLiveWebhook(context.directory, actor, id);
  context.requireRoom('Webhook');
  if (what.batchId === undefined) return redeliverAll(context, request, what);
  const found = await findDelivery(context.pool, { webhookId: id, id: what.batchId });
  if (found === undefined) {
    throw new Refusal('not_found', 'webhook.delivery_not_found', 'Delivery not found.');
  }
  await context.enqueue([toFreshBatch(found.batch, context.now())]);
  return { count: 1 };
}

/** Enqueues one page at a time, and checks the user's permissions before each page. */
async function redeliverAll(
  context: CommandContext,
  { actor, id: webhookId }: WebhookRequest,
  { since, deadLetters, after }: Redelivery,
): Promise<Redelivered> {
  const state = deadLetters === true ? 'dead' : undefined;
  let count = 0;
  let last: WebhookBatch | undefined;
  while (true) {
    const limit = Math.max(1, Math.min(PAGE_BATCHES, MAX_BATCHES - count));
    const page = await listBatches(context.pool, {
      webhookId,
      since,
      state,
      after: last ?? after,
      limit,
    });
    if (page.length === 0) return { count };
    if (last !== undefined && count >= MAX_BATCHES) return { count, last };
    requireLiveWebhook(
      context.directory,
      requireActingUser(context.directory, actor.id),
      webhookId,
    );
    await context.enqueue(page.map((batch) => toFreshBatch(batch, context.now())));
    count += page.length;
    last = page.at(-1);
  }
}

/** Implements `enqueue` of CommandContext. `partitions` is the topic's number of partitions. */
export function createEnqueue(
  connection: KafkaConnection,
  topic: string,
  partitions: number,
): CommandContext['enqueue'] {
  const append = createAppendCoded(connection);
  return async (batches) => {
    const [first] = batches;
    if (first === undefined) return;
    const partition = partitionOf(first.webhookId, partitions);
    let waiting: { readonly key: string; readonly value: Buffer }[] = [];
    let bytes = 0;
    for (const batch of batches) {
      const value = encodeWebhookBatch(batch, connection.versions());
      if (waiting.length > 0 && bytes + value.length > MAX_APPEND_BYTES) {
        await append(topic, partition, waiting);
        waiting = [];
        bytes = 0;
      }
      waiting.push({ key: batch.webhookId, value });
      bytes += value.length;
    }
    await append(topic, partition, waiting);
  };
}
