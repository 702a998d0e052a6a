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
let sick: ScriptedReceiver;
let healthy: ScriptedReceiver;

beforeEach(async () => {
  harness = await createDeliveryHarness(inject('kafka'));
  sick = await startScriptedReceiver();
  healthy = await startScriptedReceiver();
});

afterEach(async () => {
  await Promise.all([sick.close(), healthy.close()]);
  await harness.close();
});

const attemptsOf = ({ received }: ScriptedReceiver) =>
  received.map(({ headers }) => headers['x-webhook-attempt']);

describe('a receiver that responds with Retry-After', () => {
  it('receives no request during the delay and gets three uncounted attempts', async () => {
    sick.answerWith((_, response) => {
      if (sick.received.length <= 4) response.writeHead(503, { 'Retry-After': '1' }).end();
      else response.writeHead(500).end();
    });
    await harness.enqueue(buildBatch(harness.putWebhook(sick.url)));
    harness.start({ maxAttempts: 3 });
    await eventually(async () => expect(await harness.deadLetters()).toHaveLength(1), {
      timeoutMs: 20_000,
    });

    // Three attempts are not counted; the fourth Retry-After counts like any other failure.
    expect(attemptsOf(sick)).toEqual(['1', '2', '3', '4', '5', '6']);
    const times = sick.received.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const pause of pauses.slice(0, 4)) expect(pause).toBeGreaterThanOrEqual(995);
    expect(pauses[4]).toBeLessThan(900);
  });
});

describe('a webhook that fails repeatedly', () => {
  it('is retried less and less often and receives all events once it recovers', async () => {
    sick.answerWith(withStatus(500));
    const [sickId, healthyId] = [sick, healthy].map(({ url }) => harness.putWebhook(url));
    const delivery = harness.start({ failAttemptPeriodMs: 2_000, maxAttempts: 100 });
    const batches = Array.from({ length: 60 }, () => buildBatch(sickId ?? ''));
    for (const batch of batches) {
      await harness.enqueue({ ...batch, enqueuedAt: Date.now(), dueAt: Date.now() });
      await harness.enqueue(buildBatch(healthyId ?? ''));
      await sleep(20);
    }
    // Three until the breaker opens, one or two probes, and retries that are due after 2 s.
    expect(attemptsOf(sick).filter((attempt) => attempt === '1').length).toBeLessThan(8);
    await eventually(() => expect(healthy.received).toHaveLength(60));

    sick.answerWith(withStatus(200));
    await eventually(() => expect(delivery.counts.delivered).toBe(120), { timeoutMs: 20_000 });
    const delivered = new Set(sick.received.map(({ headers }) => headers['webhook-id']));
    expect(delivered).toEqual(new Set(batches.map(({ batchId }) => batchId)));
  });
});

describe('a host that hangs', () => {
  it('never has more pending requests than the limit per host', async () => {
    sick.answerWith(() => undefined);
    const sickIds = Array.from({ length: 12 }, () => harness.putWebhook(sick.url));
    const healthyIds = Array.from({ length: 12 }, () => harness.putWebhook(healthy.url));
    harness.start({ maxConcurrentRequests: 4, maxRequestsPerHost: 2, timeoutMs: 1_000 });
    const begin = Date.now();
    await harness.enqueue(...sickIds.map((id) => buildBatch(id)));
    await harness.enqueue(...healthyIds.map((id) => buildBatch(id)));
    await eventually(() => expect(healthy.received).toHaveLength(12));
    expect(sick.received.length).toBeLessThanOrEqual(2 * Math.ceil((Date.now() - begin) / 1_000));
    sick.answerWith(withStatus(200));
    const tried = () => new Set(sick.received.map(({ headers }) => headers['x-webhook-id']));
    await eventually(() => expect(tried()).toEqual(new Set(sickIds)));
  });
});

describe('an attempt', () => {
  it('records the IP address of the request', async () => {
    await harness.enqueue(buildBatch(harness.putWebhook(healthy.url)));
    harness.start();
    const [attempt] = await eventually(async () => {
      const attempts = await harness.attempts();
      expect(attempts).toHaveLength(1);
      return attempts;
    });
    expect(attempt?.exchange).toMatchObject({ address: '127.0.0.1' });
  });
});
