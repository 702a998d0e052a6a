import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { verifyWebhooks } from '../../infra/cli/webhooks/verify-webhooks.ts';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
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

beforeEach(async () => {
  harness = await createDeliveryHarness(inject('kafka'));
  receiver = await startScriptedReceiver();
});

afterEach(async () => {
  await receiver.close();
  await harness.close();
});

function verify() {
  const { topics, topicPrefix } = harness;
  const kafka = toKafkaAddress(inject('kafka'), 'ledgers-test');
  return verifyWebhooks({ kafka, topics, topicPrefix, log: pino({ level: 'silent' }) }, {});
}

describe('the ledger of a webhook', () => {
  it('balances while batches wait to be sent, wait for another attempt, and have ended', async () => {
    receiver.answerWith(withStatus(500));
    const [failing, untouched, fine] = [
      harness.putWebhook(receiver.url),
      harness.putWebhook(receiver.url),
      harness.putWebhook(receiver.url),
    ];
    await harness.enqueue(buildBatch(failing, 2));
    const delivery = harness.start({ failAttemptPeriodMs: 600_000 });
    await eventually(async () => expect(await harness.retries()).toBe(1));
    receiver.answerWith(withStatus(200));
    await harness.enqueue(buildBatch(fine, 3));
    await eventually(async () => expect(await harness.attempts()).toHaveLength(2));
    await delivery.close();
    await harness.enqueue(buildBatch(untouched, 4));

    const { isClean, webhooks } = await verify();
    expect(webhooks.flatMap(({ problems }) => problems)).toEqual([]);
    expect(isClean).toBe(true);
    expect(new Map(webhooks.map((one) => [one.webhookId, [one.waiting, one.delivered]]))).toEqual(
      new Map([
        [failing, [2, 0]],
        [untouched, [4, 0]],
        [fine, [0, 3]],
      ]),
    );
  });

  it('tells of a batch that has not ended and that delivery will never come to', async () => {
    receiver.answerWith(withStatus(500));
    const batch = buildBatch(harness.putWebhook(receiver.url), 2);
    await harness.enqueue(batch);
    const delivery = harness.start({ failAttemptPeriodMs: 600_000 });
    await eventually(async () => expect(await harness.retries()).toBe(1));
    await delivery.close();
    await harness.passRetries();

    const { isClean, webhooks } = await verify();
    expect(isClean).toBe(false);
    expect(webhooks.map(({ problems }) => problems)).toEqual([
      [`batch ${batch.batchId} has not ended, and waits nowhere`],
    ]);
  });
});
