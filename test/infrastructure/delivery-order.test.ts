import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { buildBatch } from '../support/builders/build-batch.ts';
import { eventually } from '../support/eventually.ts';
import {
  createDeliveryHarness,
  type DeliveryHarness,
} from '../support/harness/delivery-harness.ts';
import {
  type ScriptedReceiver,
  startScriptedReceiver,
  withStatus,
} from '../support/receivers/scripted-receiver.ts';

let harness: DeliveryHarness;
let receiver: ScriptedReceiver;
let enqueued = 0;

beforeEach(async () => {
  harness = await createDeliveryHarness(inject('kafka'));
  receiver = await startScriptedReceiver();
});

afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const nextBatch = (webhookId: string) => ({
  ...buildBatch(webhookId),
  enqueuedAt: Date.now() + ++enqueued,
});

/** Batches in the order of their first successful response. */
const accepted = () =>
  receiver.received
    .filter(({ headers }) => headers['x-accepted'] === 'yes')
    .map(({ headers }) => headers['webhook-id']);

/** Rejects the first `count` requests. */
function refuse(count: number): void {
  let left = count;
  receiver.answerWith((request, response) => {
    left -= 1;
    if (left < 0) request.headers['x-accepted'] = 'yes';
    withStatus(left < 0 ? 200 : 503)(request, response);
  });
}

describe('a webhook with ordered delivery', () => {
  it('receives no later batch while an earlier one waits for a retry', async () => {
    refuse(2);
    const webhookId = harness.putWebhook(receiver.url, { ordered: true });
    const batches = [nextBatch(webhookId), nextBatch(webhookId)];
    await harness.enqueue(...batches);
    harness.start({ failAttemptPeriodMs: 400 });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const later = [nextBatch(webhookId), nextBatch(webhookId)];
    await harness.enqueue(...later);
    await eventually(() => expect(accepted()).toHaveLength(4), { timeoutMs: 20_000 });

    expect(accepted()).toEqual([...batches, ...later].map(({ batchId }) => batchId));
    expect(
      new Set(receiver.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])),
    ).toEqual(new Set([batches[0]?.batchId]));
  });

  it('continues once the batch is delivered, regardless of other webhooks', async () => {
    const sick = await startScriptedReceiver(withStatus(500));
    refuse(1);
    const webhookId = harness.putWebhook(receiver.url, { ordered: true });
    const first = nextBatch(webhookId);
    await harness.enqueue(first);
    harness.start({ failAttemptPeriodMs: 3_000 });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    // Adds to every partition batches that are due later, ahead of the batches that are enqueued next.
    await sleep(1_500);
    const neighbours = Array.from({ length: 8 }, () => harness.putWebhook(sick.url));
    await harness.enqueue(...neighbours.map((id) => buildBatch(id)));
    await eventually(() => expect(sick.received).toHaveLength(8));
    const later = nextBatch(webhookId);
    await harness.enqueue(later);
    await eventually(() => expect(accepted()).toEqual([first.batchId, later.batchId]), {
      timeoutMs: 10_000,
    });

    const [, one, other] = receiver.received;
    expect((other?.at ?? 0) - (one?.at ?? 0)).toBeLessThan(700);
    await sick.close();
  });

  it('keeps its order when another process takes over', async () => {
    refuse(1);
    const webhookId = harness.putWebhook(receiver.url, { ordered: true });
    const first = nextBatch(webhookId);
    await harness.enqueue(first);
    const delivery = harness.start({ failAttemptPeriodMs: 2_000 });
    await eventually(async () => expect(await harness.attempts()).toHaveLength(1));
    await delivery.close();
    const later = nextBatch(webhookId);
    await harness.enqueue(later);
    harness.start({ failAttemptPeriodMs: 2_000 });
    await eventually(() => expect(accepted()).toHaveLength(2), { timeoutMs: 20_000 });

    expect(accepted()).toEqual([first.batchId, later.batchId]);
  });

  it('receives the remaining batches when one becomes a dead letter', async () => {
    receiver.answerWith((request, response) => {
      const isFirst = request.headers['webhook-id'] === batches[0]?.batchId;
      withStatus(isFirst ? 500 : 200)(request, response);
    });
    const webhookId = harness.putWebhook(receiver.url, { ordered: true });
    const batches = [nextBatch(webhookId), nextBatch(webhookId)];
    await harness.enqueue(...batches);
    const delivery = harness.start({ maxAttempts: 2 });
    await eventually(() => expect(delivery.counts).toMatchObject({ dead: 1, delivered: 1 }), {
      timeoutMs: 20_000,
    });

    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      [batches[0], batches[0], batches[1]].map((batch) => batch?.batchId),
    );
  });
});
