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

const answerMs = 20;
/** A single lane may use half of this memory. */
const memory = { batches: 20, bytes: 1024 * 1024 };
const patience = { timeoutMs: 30_000 };
let harness: DeliveryHarness;
let busy: ScriptedReceiver;
let enqueued = 0;

beforeEach(async () => {
  // One partition, so that all webhooks share it.
  harness = await createDeliveryHarness(inject('kafka'), 1);
  busy = await startScriptedReceiver((request, response) => {
    setTimeout(() => withStatus(200)(request, response), answerMs);
  });
});

afterEach(async () => {
  await harness.close();
  await busy.close();
});

const buildBatches = (webhookId: string, count: number) =>
  Array.from({ length: count }, () => ({
    ...buildBatch(webhookId),
    enqueuedAt: Date.now() + ++enqueued,
  }));

const batchIdOf = ({ headers }: ScriptedReceiver['received'][number]) =>
  String(headers['webhook-id']);

describe('a webhook with more batches than its lane can hold', () => {
  it('receives each batch once in order without delaying other webhooks', async () => {
    const neighbour = await startScriptedReceiver();
    const webhookId = harness.putWebhook(busy.url);
    const batches = buildBatches(webhookId, 150);
    await harness.enqueue(...batches, buildBatch(harness.putWebhook(neighbour.url)));
    const delivery = harness.start({ memory });
    await eventually(() => expect(neighbour.received).toHaveLength(1), patience);

    expect(busy.received.length).toBeLessThan(100);
    await eventually(() => expect(busy.received.length).toBeGreaterThan(60), patience);
    const later = buildBatches(webhookId, 10);
    await harness.enqueue(...later);
    await eventually(async () => expect(await harness.attempts()).toHaveLength(161), patience);
    expect(busy.received.map(batchIdOf)).toEqual(
      [...batches, ...later].map(({ batchId }) => batchId),
    );
    expect(new Set((await harness.attempts()).map(({ outcome }) => outcome))).toEqual(
      new Set(['delivered']),
    );
    expect(delivery.counts.overflowed).toBeGreaterThan(100);
    expect(harness.failures).toEqual([]);
    await neighbour.close();
  });

  it.each([false, true])(
    'receives the remaining batches in order after a takeover (ordered: %s)',
    async (ordered) => {
      const batches = buildBatches(harness.putWebhook(busy.url, { ordered }), 120);
      await harness.enqueue(...batches);
      const first = harness.start({ memory });
      await eventually(() => expect(busy.received.length).toBeGreaterThan(40), patience);
      await first.close();
      expect(busy.received.length).toBeLessThan(100);
      harness.start({ memory });
      await eventually(async () => expect(await harness.attempts()).toHaveLength(120), patience);

      expect([...new Set(busy.received.map(batchIdOf))]).toEqual(
        batches.map(({ batchId }) => batchId),
      );
    },
  );

  it('receives its batches in order with ordered delivery, even if one fails', async () => {
    const accepted: string[] = [];
    let left = 30;
    busy.answerWith((request, response) => {
      left -= 1;
      if (left !== 0) accepted.push(String(request.headers['webhook-id']));
      setTimeout(() => withStatus(left === 0 ? 503 : 200)(request, response), answerMs);
    });
    const batches = buildBatches(harness.putWebhook(busy.url, { ordered: true }), 100);
    await harness.enqueue(...batches);
    harness.start({ memory });
    await eventually(() => expect(accepted).toHaveLength(100), patience);

    expect(accepted).toEqual(batches.map(({ batchId }) => batchId));
  });
});
