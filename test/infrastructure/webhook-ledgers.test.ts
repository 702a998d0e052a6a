import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { balanceWebhooks } from '../../services/query/webhooks/ledger/balance-webhooks.ts';
import { switchActivity } from '../../shared/domain/webhook/record/webhook.ts';
import { withAdmin } from '../../shared/kafka/describe-topics.ts';
import { buildBatch } from '../support/builders/build-batch.ts';
import { aCreation } from '../support/builders/record-event-builder.ts';
import { eventually } from '../support/eventually.ts';
import {
  createDeliveryHarness,
  type DeliveryHarness,
} from '../support/harness/delivery-harness.ts';
import { appendAsAnotherWriter } from '../support/log/append-as-another-writer.ts';
import { createLogScript } from '../support/log/log-script.ts';
import {
  type ScriptedReceiver,
  startScriptedReceiver,
  withStatus,
} from '../support/receivers/scripted-receiver.ts';

const kafka = toKafkaAddress(inject('kafka'), 'ledgers-test');
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
  return balanceWebhooks({ kafka, topics, topicPrefix, log: pino({ level: 'silent' }) });
}

describe('the check of webhook ledgers', () => {
  it('finds no problem with enqueued, waiting and ended batches', async () => {
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

  it('reports an unfinished batch that waits nowhere', async () => {
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
      [`batch ${batch.batchId} has no outcome, but is in no queue`],
    ]);
  });

  it('reports a matched change without a batch until a replay enqueues it', async () => {
    const { topics, topicPrefix, append } = harness;
    const webhook = aCreation('Webhook', {
      ...{ event: 'Account.create', entityType: 'Account', type: 'create' },
      ...{ url: receiver.url, isActive: true, activity: switchActivity(null, true, [0n]) },
    });
    await appendAsAnotherWriter(inject('kafka'), { topic: topics.directory }, [webhook]);
    const records = createLogScript({ append, topic: topics.records, partition: 0 });
    await records.fence();
    const created = [aCreation('Account', { name: 'Lost' }), aCreation('Account', { name: 'Too' })];
    await records.events(...created);
    await withAdmin(kafka, pino({ level: 'silent' }), (admin) =>
      admin.setOffsets({
        ...{ groupId: `${topicPrefix}.queue`, topic: topics.records },
        partitions: [{ partition: 0, offset: '3' }],
      }),
    );
    const webhookId = webhook.recordId;
    const problems = ['2 matched events never enqueued'];
    expect((await verify()).webhooks).toMatchObject([{ webhookId, matched: 2, problems }]);

    const batch = buildBatch(webhookId, created.length);
    const events = batch.events.map((event, index) => ({
      ...event,
      eventId: created[index]?.eventId ?? '',
    }));
    await harness.enqueue({ ...batch, replayId: 'repair', events });

    const { isClean, webhooks } = await verify();
    expect(webhooks).toMatchObject([{ webhookId, matched: 0, replayed: 2, waiting: 2 }]);
    expect(isClean).toBe(true);
  });
});
