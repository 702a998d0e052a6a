import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { buildBatch } from '../support/build-batch.ts';
import { createDeliveryStand, type DeliveryStand } from '../support/delivery-stand.ts';
import { eventually } from '../support/eventually.ts';
import {
  type ScriptedReceiver,
  startScriptedReceiver,
  withStatus,
} from '../support/scripted-receiver.ts';

const answerMs = 20;
/** Half of it for a lane alone. */
const memory = { batches: 20, bytes: 1024 * 1024 };
const patience = { timeoutMs: 30_000 };
let stand: DeliveryStand;
let busy: ScriptedReceiver;
let enqueued = 0;

beforeEach(async () => {
  // One partition, so that everybody is everybody's neighbour.
  stand = await createDeliveryStand(inject('kafka'), 1);
  busy = await startScriptedReceiver((request, response) => {
    setTimeout(() => withStatus(200)(request, response), answerMs);
  });
});

afterEach(async () => {
  await stand.close();
  await busy.close();
});

const buildBatches = (webhookId: string, count: number) =>
  Array.from({ length: count }, () => ({
    ...buildBatch(webhookId),
    enqueuedAt: Date.now() + ++enqueued,
  }));

const batchIdOf = ({ headers }: ScriptedReceiver['received'][number]) =>
  String(headers['webhook-id']);

describe('a webhook with more batches than its lane may hold', () => {
  it('holds up no neighbour, and gets each of them once, in order', async () => {
    const neighbour = await startScriptedReceiver();
    const webhookId = stand.putWebhook(busy.url);
    const batches = buildBatches(webhookId, 150);
    await stand.enqueue(...batches, buildBatch(stand.putWebhook(neighbour.url)));
    const delivery = stand.start({ memory });
    await eventually(() => expect(neighbour.received).toHaveLength(1), patience);

    expect(busy.received.length).toBeLessThan(100);
    await eventually(() => expect(busy.received.length).toBeGreaterThan(60), patience);
    const later = buildBatches(webhookId, 10);
    await stand.enqueue(...later);
    await eventually(async () => expect(await stand.attempts()).toHaveLength(161), patience);
    expect(busy.received.map(batchIdOf)).toEqual(
      [...batches, ...later].map(({ batchId }) => batchId),
    );
    expect(new Set((await stand.attempts()).map(({ outcome }) => outcome))).toEqual(
      new Set(['delivered']),
    );
    expect(delivery.counts.overflowed).toBeGreaterThan(100);
    expect(stand.failures).toEqual([]);
    await neighbour.close();
  });

  it.each([false, true])(
    'gets the rest in order when another process takes over, ordered: %s',
    async (ordered) => {
      const batches = buildBatches(stand.putWebhook(busy.url, { ordered }), 120);
      await stand.enqueue(...batches);
      const first = stand.start({ memory });
      await eventually(() => expect(busy.received.length).toBeGreaterThan(40), patience);
      await first.close();
      expect(busy.received.length).toBeLessThan(100);
      stand.start({ memory });
      await eventually(async () => expect(await stand.attempts()).toHaveLength(120), patience);

      expect([...new Set(busy.received.map(batchIdOf))]).toEqual(
        batches.map(({ batchId }) => batchId),
      );
    },
  );

  it('gets them in order if it asks for that, though one of them fails', async () => {
    const accepted: string[] = [];
    let left = 30;
    busy.answerWith((request, response) => {
      left -= 1;
      if (left !== 0) accepted.push(String(request.headers['webhook-id']));
      setTimeout(() => withStatus(left === 0 ? 503 : 200)(request, response), answerMs);
    });
    const batches = buildBatches(stand.putWebhook(busy.url, { ordered: true }), 100);
    await stand.enqueue(...batches);
    stand.start({ memory });
    await eventually(() => expect(accepted).toHaveLength(100), patience);

    expect(accepted).toEqual(batches.map(({ batchId }) => batchId));
  });
});
