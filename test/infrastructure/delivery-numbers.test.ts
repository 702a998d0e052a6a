import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { ReceiverDirectory } from '../../shared/events/events-for-receiver.ts';
import type { WebhookBatch } from '../../shared/events/webhook-batch-codec.ts';
import { buildBatch } from '../support/builders/build-batch.ts';
import { directoryWithReader } from '../support/builders/directory-with-reader.ts';
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
let read: 'all' | 'own';

beforeEach(async () => {
  harness = await createDeliveryHarness(inject('kafka'));
  receiver = await startScriptedReceiver();
  read = 'all';
});

afterEach(async () => {
  await receiver.close();
  await harness.close();
});

const directories = { all: directoryWithReader('all'), own: directoryWithReader('own') };

/** The directory in which the reader has the current role. */
const users: ReceiverDirectory = {
  record: (entityType, id) => directories[read].record(entityType, id),
  entity: (name) => directories[read].entity(name),
  actor: (id) => directories[read].actor(id),
};

const putWebhook = (values: Readonly<Record<string, boolean | string>> = {}) =>
  harness.putWebhook(receiver.url, {
    entityType: 'Account',
    type: 'create',
    payloadFormat: 'events',
    userId: 'User',
    ...values,
  });

/** Builds a batch with an event per item; the item states whether the record belongs to the user. */
function batchOf(webhookId: string, owns: readonly boolean[]): WebhookBatch {
  const batch = buildBatch(webhookId, owns.length);
  const events = batch.events.map((event, index) => ({
    ...event,
    access: { ...event.access, assignedUserId: owns[index] === true ? 'User' : null },
  }));
  return { ...batch, payloadFormat: 'events', events };
}

/** Returns the sequence numbers in the body of each request. */
const numbers = () => receiver.received.map(({ body }) => numbersIn(body));

const numbersIn = (body: string): readonly (number | null)[] =>
  JSON.parse(body).map(({ sequence }: { readonly sequence: number | null }) => sequence);

describe('sequence numbers of webhook events', () => {
  it('have no gap if the role loses permissions before the first request', async () => {
    const webhookId = putWebhook();
    await harness.enqueue(batchOf(webhookId, [true, false, true]), batchOf(webhookId, [false]));
    await harness.enqueue(batchOf(webhookId, [true]));
    read = 'own';
    const delivery = harness.start({ users });
    await eventually(() => expect(delivery.counts).toMatchObject({ delivered: 2, dropped: 1 }));
    expect(numbers()).toEqual([[1, 2], [3]]);
  });

  it('include events that became readable after they were enqueued', async () => {
    read = 'own';
    const webhookId = putWebhook({ isActive: false });
    await harness.enqueue(batchOf(webhookId, [false, true]));
    const delivery = harness.start({ users });
    await eventually(() => expect(delivery.counts.postponed).toBeGreaterThan(0));
    read = 'all';
    harness.activate(webhookId);
    await eventually(() => expect(delivery.counts.delivered).toBe(1));
    expect(numbers()).toEqual([[1, 2]]);
  });

  it('stay the same in retries and skip events that become readable later', async () => {
    read = 'own';
    receiver.answerWith(withStatus(500));
    const webhookId = putWebhook();
    await harness.enqueue(batchOf(webhookId, [false, true]), batchOf(webhookId, [true]));
    const delivery = harness.start({ users });
    await eventually(() => expect(delivery.counts.retried).toBeGreaterThan(0));
    read = 'all';
    receiver.answerWith(withStatus(200));
    await eventually(() => expect(delivery.counts.delivered).toBe(2));
    const sent = receiver.received.map(({ headers, body }) => [
      headers['x-webhook-attempt'],
      ...numbersIn(body),
    ]);
    expect(sent).toContainEqual(['2', null, 1]);
    expect(sent.at(-1)).toEqual(['1', 2]);
  });

  it('stay the same in requests repeated after a crash and continue from there', async () => {
    const webhookId = putWebhook();
    receiver.answerWith((_, response) => {
      if (receiver.received.length !== 2) response.writeHead(200).end();
    });
    await harness.enqueue(...[1, 2, 3].map(() => batchOf(webhookId, [true, false])));
    const first = harness.start({ users, timeoutMs: 60_000 });
    await eventually(() => expect(receiver.received).toHaveLength(2));
    await eventually(() => expect(first.counts.delivered).toBe(1));
    await eventually(async () => expect(await harness.attempts()).toHaveLength(1));

    // Takes over while the second request is in progress, as after a crash.
    const second = harness.start({ users });
    await eventually(() => expect(second.counts.delivered).toBe(2));
    await harness.enqueue(batchOf(webhookId, [true]));
    await eventually(() => expect(second.counts.delivered).toBe(3));
    expect(numbers()).toEqual([[1, 2], [3, 4], [3, 4], [5, 6], [7]]);
  });

  it('are not consumed by batches that are postponed without a request', async () => {
    receiver.answerWith((_, response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    });
    const webhookId = putWebhook();
    await harness.enqueue(...[1, 2, 3].map(() => batchOf(webhookId, [true])));
    const first = harness.start({ users, failAttemptPeriodMs: 1_000 });
    await eventually(() => expect(first.counts).toMatchObject({ retried: 1, postponed: 2 }));
    await first.close();

    read = 'own';
    const second = harness.start({ users });
    await eventually(() => expect(second.counts.delivered).toBe(3));
    expect(numbers().flat().toSorted()).toEqual([1, 1, 2, 3]);
  });

  it('continue after the numbers that an earlier version assigned', async () => {
    const webhookId = putWebhook();
    const batch = batchOf(webhookId, [true, true]);
    const numbered = batch.events.map((event, index) => ({ ...event, sequence: 41 + index }));
    await harness.append(harness.topics.webhookSequences, 0, [
      { key: webhookId, value: Buffer.from('42') },
    ]);
    await harness.enqueue({ ...batch, events: numbered }, batchOf(webhookId, [true]));
    const delivery = harness.start({ users });
    await eventually(() => expect(delivery.counts.delivered).toBe(2));
    expect(numbers()).toEqual([[41, 42], [43]]);
  });

  it('are gapless and unique across many batches from several processes', async () => {
    const ids = Array.from({ length: 5 }, () => putWebhook());
    const batches = ids.flatMap((id) =>
      Array.from({ length: 60 }, () => batchOf(id, [true, false, true])),
    );
    await harness.enqueue(...batches);
    read = 'own';
    const started: ReturnType<typeof harness.start>[] = [];
    const delivered = () => started.reduce((sum, { counts }) => sum + counts.delivered, 0);
    for (let round = 1; round <= 3; round += 1) {
      started.push(harness.start({ users }));
      await eventually(() => expect(delivered()).toBeGreaterThan(round * 20));
    }
    await eventually(async () => expect(await harness.attempts()).toHaveLength(300), {
      timeoutMs: 60_000,
    });

    for (const id of ids) {
      const byBatch = new Map<unknown, string>();
      for (const { headers, body } of receiver.received) {
        if (headers['x-webhook-id'] !== id) continue;
        const text = String(numbersIn(body));
        expect(byBatch.get(headers['webhook-id']) ?? text).toBe(text);
        byBatch.set(headers['webhook-id'], text);
      }
      const all = [...byBatch.values()].flatMap((text) => text.split(',').map(Number));
      expect(all.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 120 }, (_, index) => index + 1),
      );
    }
  }, 120_000);
});
