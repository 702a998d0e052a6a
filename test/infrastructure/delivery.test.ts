import { createHmac } from 'node:crypto';
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
const opened: { close(): Promise<void> }[] = [];

async function openReceiver(...behaviour: Parameters<typeof startScriptedReceiver>) {
  const started = await startScriptedReceiver(...behaviour);
  opened.push(started);
  return started;
}

beforeEach(async () => {
  harness = await createDeliveryHarness(inject('kafka'));
  receiver = await openReceiver();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((receiver) => receiver.close()));
  await harness.close();
});

const idsOf = ({ received }: ScriptedReceiver) =>
  received.map(({ headers }) => headers['webhook-id']);

describe('delivery', () => {
  it('sends each batch once with a signature and records it', async () => {
    const webhookId = harness.putWebhook(`${receiver.url}?a=1`);
    const batches = [buildBatch(webhookId, 3), buildBatch(webhookId, 1)];
    await harness.enqueue(...batches);
    const delivery = harness.start();
    await eventually(async () => expect(await harness.attempts()).toHaveLength(2));

    expect(idsOf(receiver)).toEqual(batches.map(({ batchId }) => batchId));
    const [first] = receiver.received;
    expect(first?.body).toBe(
      JSON.stringify(batches[0]?.events.map(({ data }) => JSON.parse(data))),
    );
    expect(first?.path).toBe('/hook?a=1');
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-signature': createHmac('sha256', 'secret')
        .update(first?.body ?? '')
        .digest('base64'),
      'x-webhook-id': webhookId,
      'x-webhook-event': 'Account.create',
      'x-webhook-attempt': '1',
      'user-agent': expect.stringMatching(/^Annals-Webhooks\/\d/),
    });
    expect(await harness.attempts()).toMatchObject([
      { webhookId, attempt: 1, outcome: 'delivered', status: 200, events: 3 },
      { webhookId, attempt: 1, outcome: 'delivered', status: 200, events: 1 },
    ]);
    expect(delivery.counts).toMatchObject({ started: 2, delivered: 2, retried: 0 });
  });

  it('makes four attempts with the same bytes and ids, then writes a dead letter', async () => {
    receiver.answerWith(withStatus(500));
    const webhookId = harness.putWebhook(receiver.url);
    const batch = buildBatch(webhookId, 2);
    await harness.enqueue(batch);
    const delivery = harness.start();
    const [dead] = await eventually(async () => {
      const letters = await harness.deadLetters();
      expect(letters).toHaveLength(1);
      return letters;
    });

    expect(dead).toEqual({ ...batch, attemptsMade: 4, dueAt: dead?.dueAt });
    expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(new Set(idsOf(receiver))).toEqual(new Set([batch.batchId]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const times = receiver.received.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(195);
    expect((await harness.attempts()).map(({ outcome }) => outcome)).toEqual([
      'retry',
      'retry',
      'retry',
      'dead',
    ]);
    expect(delivery.counts).toMatchObject({ started: 4, retried: 3, dead: 1 });
  });

  it('retries batches behind a failure without using up their attempts', async () => {
    receiver.answerWith((_, response) => {
      setTimeout(() => response.writeHead(receiver.received.length === 1 ? 503 : 200).end(), 100);
    });
    const webhookId = harness.putWebhook(receiver.url);
    const batches = [buildBatch(webhookId), buildBatch(webhookId), buildBatch(webhookId)];
    await harness.enqueue(...batches);
    const delivery = harness.start();
    await eventually(() => expect(delivery.counts.delivered).toBe(3));

    expect(idsOf(receiver)).toEqual([batches[0], ...batches].map((batch) => batch?.batchId));
    expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual([
      '1',
      '2',
      '1',
      '1',
    ]);
    expect(delivery.counts).toMatchObject({ started: 4, retried: 1, postponed: 2 });
  });

  it('removes a webhook after 410, retries a failed removal and drops its batches', async () => {
    const calls: string[] = [];
    receiver.answerWith((_, response) => {
      setTimeout(() => response.writeHead(410).end(), 100);
    });
    const webhookId = harness.putWebhook(receiver.url);
    await harness.enqueue(buildBatch(webhookId), buildBatch(webhookId));
    const delivery = harness.start({
      async removeWebhook(id) {
        calls.push(id);
        if (calls.length < 3) throw new Error('owner is unreachable');
      },
    });
    await eventually(() => expect(calls).toHaveLength(3));
    await harness.enqueue(buildBatch(webhookId));
    await eventually(async () => expect(await harness.attempts()).toHaveLength(3));

    expect(receiver.received).toHaveLength(1);
    const reason = 'webhook removed (410)';
    expect(
      (await harness.attempts()).toSorted((one, other) => other.attempt - one.attempt),
    ).toMatchObject([
      { attempt: 1, outcome: 'dropped', status: 410, reason },
      { attempt: 0, outcome: 'dropped', status: null, reason },
      { attempt: 0, outcome: 'dropped', status: null, reason },
    ]);
    expect(delivery.counts).toMatchObject({ started: 1, dropped: 3 });
  });

  it('removes a webhook after 410 even if a restart interrupts the removal', async () => {
    receiver.answerWith(withStatus(410));
    const webhookId = harness.putWebhook(receiver.url);
    await harness.enqueue(buildBatch(webhookId));
    const first = harness.start({
      removeWebhook: () => Promise.reject(new Error('owner is unreachable')),
    });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await first.close();
    expect(await harness.attempts()).toEqual([]);

    const removed: string[] = [];
    harness.start({ removeWebhook: async (id) => void removed.push(id) });
    await eventually(async () => expect(await harness.attempts()).toMatchObject([{ status: 410 }]));
    expect(removed).toEqual([webhookId]);
  });

  it('writes a dead letter without a request if the URL leads to a forbidden address', async () => {
    const elsewhere = receiver.url.replace('127.0.0.1', 'localhost');
    const webhookId = harness.putWebhook(receiver.url, { url: elsewhere });
    const batch = buildBatch(webhookId);
    await harness.enqueue(batch);
    const delivery = harness.start();
    await eventually(async () => expect(await harness.deadLetters()).toHaveLength(1));
    expect(await harness.attempts()).toMatchObject([
      { outcome: 'dead', status: null, reason: 'address refused: it names this machine' },
    ]);
    expect(delivery.counts).toMatchObject({ started: 0, dead: 1 });
    expect(receiver.received).toEqual([]);
  });

  it('drops batches of a deleted webhook and holds batches of an inactive one', async () => {
    const goneId = harness.putWebhook(receiver.url);
    harness.changeWebhook(goneId, { deleted: true });
    const sleepingId = harness.putWebhook(receiver.url, { isActive: false });
    const held = buildBatch(sleepingId);
    await harness.enqueue(buildBatch(goneId), held);
    const delivery = harness.start();
    await eventually(() => expect(delivery.counts.postponed).toBeGreaterThan(2));
    expect(receiver.received).toEqual([]);
    expect(delivery.counts.dropped).toBe(1);

    harness.activate(sleepingId);
    await eventually(() => expect(idsOf(receiver)).toEqual([held.batchId]));
    expect(receiver.received[0]?.headers['x-webhook-attempt']).toBe('1');
  });

  it('waits until the directory has the state in which a batch was enqueued', async () => {
    const webhookId = harness.putWebhook(receiver.url, { isActive: false });
    let isActivated = false;
    const delivery = harness.start({
      failAttemptPeriodMs: 60_000,
      async catchUp() {
        if (isActivated) harness.activate(webhookId);
      },
    });
    await harness.enqueue(buildBatch(webhookId));
    await eventually(() => expect(delivery.counts.postponed).toBe(1));
    isActivated = true;
    const batch = buildBatch(webhookId);
    await harness.enqueue(batch);
    await eventually(() => expect(idsOf(receiver)).toEqual([batch.batchId]));
  });

  it('delivers to other endpoints immediately while one hangs', async () => {
    const hanging = await openReceiver(() => undefined);
    const hangingId = harness.putWebhook(hanging.url);
    const healthyIds = Array.from({ length: 8 }, () => harness.putWebhook(receiver.url));
    const stuck = Array.from({ length: 20 }, () => buildBatch(hangingId));
    await harness.enqueue(...stuck);
    const delivery = harness.start({ timeoutMs: 3_000 });
    await eventually(() => expect(hanging.received).toHaveLength(1));
    const begin = Date.now();
    await harness.enqueue(...healthyIds.map((id) => buildBatch(id)));
    await eventually(async () => expect(await harness.attempts()).toHaveLength(8));
    expect(Date.now() - begin).toBeLessThan(3_000);
    expect(receiver.received).toHaveLength(8);

    await eventually(() => expect(delivery.counts.postponed).toBe(19));
    expect(hanging.received).toHaveLength(1);
    expect(delivery.counts).toMatchObject({ retried: 1, delivered: 8 });
  });

  it('sends at most the allowed number of requests per run', async () => {
    const webhookIds = Array.from({ length: 5 }, () => harness.putWebhook(receiver.url));
    await harness.enqueue(...webhookIds.map((id) => buildBatch(id)));
    const delivery = harness.start({ requestsPerRun: 3 });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(receiver.received).toHaveLength(0);
    delivery.startRun();
    await eventually(() => expect(delivery.counts.delivered).toBe(3));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.received).toHaveLength(3);
    delivery.startRun();
    await eventually(() => expect(delivery.counts.delivered).toBe(5));
  });

  it('sends a test request immediately, even if the webhook is busy or the quota is used up', async () => {
    const hanging = await openReceiver(() => undefined);
    const webhookId = harness.putWebhook(hanging.url);
    const others = Array.from({ length: 4 }, () => harness.putWebhook(receiver.url));
    const delivery = harness.start({ requestsPerRun: 1, timeoutMs: 10_000 });
    await harness.enqueue(buildBatch(webhookId));
    delivery.startRun();
    await eventually(() => expect(hanging.received).toHaveLength(1));
    await harness.enqueue(...[webhookId, ...others].map((id) => buildBatch(id)));
    hanging.answerWith(withStatus(200));
    const test = { ...buildBatch(webhookId), batchId: 'test_1' };
    await harness.enqueue(test);
    await eventually(() => expect(delivery.counts.delivered).toBe(1));
    expect(idsOf(hanging)[1]).toBe(test.batchId);
    expect(receiver.received).toEqual([]);
  });

  it('writes invalid batches to the dead letters and continues', async () => {
    const webhookId = harness.putWebhook(receiver.url);
    await harness.append(harness.topics.webhookBatches, 0, [
      { key: 'x', value: Buffer.from('nonsense') },
    ]);
    await harness.append(harness.topics.webhookBatches, 1, [
      { key: 'x', value: Buffer.from('nonsense') },
    ]);
    await harness.enqueue(buildBatch(webhookId));
    const delivery = harness.start();
    await eventually(() => expect(delivery.counts).toMatchObject({ delivered: 1, unreadable: 2 }));
  });
});

describe('delivery after a crash', () => {
  it('repeats unrecorded requests, skips recorded ones and loses nothing', async () => {
    const hanging = await openReceiver(() => undefined);
    const hangingId = harness.putWebhook(hanging.url);
    const webhookId = harness.putWebhook(receiver.url);
    const stuck = buildBatch(hangingId);
    const early = Array.from({ length: 10 }, () => buildBatch(webhookId));
    await harness.enqueue(stuck, ...early);
    harness.start({ timeoutMs: 60_000 });
    await eventually(async () => expect(await harness.attempts()).toHaveLength(10));

    const late = buildBatch(webhookId);
    hanging.answerWith(withStatus(200));
    const second = harness.start();
    await eventually(() => expect(hanging.received).toHaveLength(2));
    await harness.enqueue(late);
    await eventually(() => expect(second.counts.delivered).toBeGreaterThanOrEqual(2));
    await eventually(async () => expect(await harness.attempts()).toHaveLength(12));

    expect(second.counts.delivered).toBe(2);
    expect(idsOf(hanging)).toEqual([stuck.batchId, stuck.batchId]);
    const recorded = (await harness.attempts()).map(({ batchId }) => batchId);
    expect(new Set(recorded)).toEqual(
      new Set([stuck, ...early, late].map(({ batchId }) => batchId)),
    );
  });

  it('finds all waiting batches after processed retry entries were deleted', async () => {
    await harness.trim();
    receiver.answerWith(withStatus(500));
    const ids = Array.from({ length: 6 }, () => harness.putWebhook(receiver.url));
    await harness.enqueue(...ids.flatMap((id) => [buildBatch(id), buildBatch(id), buildBatch(id)]));
    const first = harness.start({ maxAttempts: 100 });
    // Each batch is postponed repeatedly, and adds an entry to the first retry topic every time.
    await eventually(() => expect(first.counts.postponed).toBeGreaterThan(60));
    await first.close();
    const before = await harness.retries();
    await harness.trim();
    const left = await harness.retries();
    expect(left).toBeLessThan(before / 2);
    await harness.trim();
    expect(await harness.retries()).toBe(left);

    receiver.answerWith(withStatus(200));
    const second = harness.start();
    await eventually(() => expect(first.counts.delivered + second.counts.delivered).toBe(18));
    expect(await harness.deadLetters()).toEqual([]);
  });

  it('sends retries when they are due, even before older ones with a longer delay', async () => {
    receiver.answerWith(withStatus(500));
    const ids = Array.from({ length: 6 }, () => harness.putWebhook(receiver.url));
    const older = ids.map((id) => buildBatch(id));
    await harness.enqueue(...older);
    const first = harness.start({ failAttemptPeriodMs: 15_000 });
    await eventually(async () => expect(await harness.retries()).toBe(6));
    const olderDueAt = Date.now() + 15_000;
    await first.close();

    const newer = ids.map((id) => buildBatch(id));
    await harness.enqueue(...newer);
    const second = harness.start({ failAttemptPeriodMs: 200, maxAttempts: 3 });
    await eventually(async () => expect(await harness.deadLetters()).toHaveLength(6));
    await second.close();
    expect(Date.now()).toBeLessThan(olderDueAt);
    const given = (await harness.deadLetters()).map(({ batchId }) => batchId);
    expect(new Set(given)).toEqual(new Set(newer.map(({ batchId }) => batchId)));

    // The successor sends the older batches, and none of the others again.
    receiver.answerWith(withStatus(200));
    const third = harness.start({ failAttemptPeriodMs: 200 });
    await eventually(() => expect(third.counts.delivered).toBe(6), { timeoutMs: 30_000 });
    const sent = idsOf(receiver);
    for (const { batchId } of older) expect(sent.filter((id) => id === batchId)).toHaveLength(2);
    for (const { batchId } of newer) expect(sent.filter((id) => id === batchId)).toHaveLength(3);
    expect(harness.failures).toEqual([]);
  });

  it('stops a replaced process when that process next records progress', async () => {
    const webhookId = harness.putWebhook(receiver.url);
    const first = harness.start();
    await harness.enqueue(buildBatch(webhookId));
    await eventually(() => expect(first.counts.delivered).toBe(1));
    const second = harness.start();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await harness.enqueue(buildBatch(webhookId));
    await eventually(() => expect(harness.failures).toHaveLength(1));
    await eventually(() => expect(second.counts.delivered).toBe(1));
    await eventually(async () => expect(await harness.attempts()).toHaveLength(2));
    expect(harness.failures[0]).toMatchObject({ name: 'TransactionSuperseded' });
  });

  it('completes and records requests in flight when it is closed', async () => {
    receiver.answerWith((_, response) => {
      setTimeout(() => response.writeHead(200).end(), 700);
    });
    const webhookId = harness.putWebhook(receiver.url);
    const [under, next] = [buildBatch(webhookId), buildBatch(webhookId)];
    await harness.enqueue(under, next);
    const delivery = harness.start();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await delivery.close();
    await eventually(async () =>
      expect(await harness.attempts()).toMatchObject([{ batchId: under.batchId }]),
    );
    expect(receiver.received).toHaveLength(1);

    harness.start();
    await eventually(async () => expect(await harness.attempts()).toHaveLength(2));
    expect(idsOf(receiver)).toEqual([under.batchId, next.batchId]);
  });
});
