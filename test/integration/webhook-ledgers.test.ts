import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { verifyWebhooks } from '../../infra/cli/webhooks/verify-webhooks.ts';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { buildBatch } from '../support/build-batch.ts';
import { createDeliveryStand, type DeliveryStand } from '../support/delivery-stand.ts';
import { eventually } from '../support/eventually.ts';
import {
  type ScriptedReceiver,
  startScriptedReceiver,
  withStatus,
} from '../support/scripted-receiver.ts';

let stand: DeliveryStand;
let receiver: ScriptedReceiver;

beforeEach(async () => {
  stand = await createDeliveryStand(inject('kafka'));
  receiver = await startScriptedReceiver();
});

afterEach(async () => {
  await receiver.close();
  await stand.close();
});

function verify() {
  const { topics, topicPrefix } = stand;
  const kafka = toKafkaAddress(inject('kafka'), 'ledgers-test');
  return verifyWebhooks({ kafka, topics, topicPrefix, log: pino({ level: 'silent' }) }, {});
}

describe('the ledger of a webhook', () => {
  it('balances while batches wait to be sent, wait for another attempt, and have ended', async () => {
    receiver.answerWith(withStatus(500));
    const [failing, untouched, fine] = [
      stand.putWebhook(receiver.url),
      stand.putWebhook(receiver.url),
      stand.putWebhook(receiver.url),
    ];
    await stand.enqueue(buildBatch(failing, 2));
    const delivery = stand.start({ failAttemptPeriodMs: 600_000 });
    await eventually(async () => expect(await stand.retries()).toBe(1));
    receiver.answerWith(withStatus(200));
    await stand.enqueue(buildBatch(fine, 3));
    await eventually(async () => expect(await stand.attempts()).toHaveLength(2));
    await delivery.close();
    await stand.enqueue(buildBatch(untouched, 4));

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
    const batch = buildBatch(stand.putWebhook(receiver.url), 2);
    await stand.enqueue(batch);
    const delivery = stand.start({ failAttemptPeriodMs: 600_000 });
    await eventually(async () => expect(await stand.retries()).toBe(1));
    await delivery.close();
    await stand.passRetries();

    const { isClean, webhooks } = await verify();
    expect(isClean).toBe(false);
    expect(webhooks.map(({ problems }) => problems)).toEqual([
      [`batch ${batch.batchId} has not ended, and waits nowhere`],
    ]);
  });
});
