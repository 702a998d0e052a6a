import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { validateUrl } from '../../../shared/net/validate-target.ts';
import { systemClock } from '../../../shared/runtime/clock.ts';
import { aBatch } from '../../../test/support/builders/build-batch.ts';
import { dispatcherContext } from '../../../test/support/builders/dispatcher-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { guardFor } from '../../../test/support/receivers/target-guard.ts';
import type { DeliveryContext } from '../context.ts';
import { chooseEndpoint, deliverBatch } from './deliver-batch.ts';
import { WebhookRemoval } from './outcome/webhook-removal.ts';
import { Endpoints } from './request/endpoints.ts';
import type { OutgoingRequest, SendResult } from './request/send-request.ts';

const url = 'http://127.0.0.1:1/hook';
const batch = { ...aBatch, attemptsMade: 1 };

const validateFor =
  (...opened: readonly string[]) =>
  (url: string) =>
    validateUrl(url, guardFor(...opened).rules);

function buildContext(
  values: Partial<RecordState> & { readonly url?: string; readonly isActive?: boolean } = {},
  overrides: Partial<DeliveryContext> & { readonly result?: SendResult; maxAttempts?: number } = {},
) {
  const { url: to = url, isActive = true, ...state } = values;
  const { maxAttempts = 4, result = { kind: 'answered', status: 200 }, ...parts } = overrides;
  const sent: OutgoingRequest[] = [];
  const webhook: RecordState = {
    entityType: 'Webhook',
    id: 'w1',
    version: 1,
    deleted: false,
    values: { event: 'Account.create', url: to, isActive, secretKey: 'sealed' },
    ...state,
  };
  const context = dispatcherContext({
    directory: { record: (_: string, id: string) => (id === 'w1' ? webhook : undefined) },
    endpoints: new Endpoints(() => 'secret'),
    sender: {
      async send(request: OutgoingRequest) {
        sent.push(request);
        return result;
      },
    },
    config: { delivery: { maxAttempts, failAttemptPeriodMs: 1_000 } },
    clock: systemClock,
    validateUrl: validateFor('127.0.0.1:1'),
    ...parts,
  });
  return { context, sent };
}

const removal = new WebhookRemoval(
  dispatcherContext({ removeWebhook: async () => undefined, log: pino({ level: 'silent' }) }),
);

const outcomeOf = (...args: Parameters<typeof buildContext>) => {
  const choice = chooseEndpoint(batch, removal, buildContext(...args).context);
  return 'outcome' in choice ? choice.outcome : undefined;
};

async function deliver(
  result: SendResult,
  attemptsMade = 1,
  { sparedAttempts = 0, maxAttempts = 4 } = {},
) {
  const { context, sent } = buildContext({}, { result, maxAttempts });
  const choice = chooseEndpoint(batch, removal, context);
  if (!('endpoint' in choice)) throw new Error('no endpoint');
  return {
    ...(await deliverBatch({ ...batch, attemptsMade, sparedAttempts }, choice.endpoint, context)),
    sent,
  };
}

describe('a batch that needs no request', () => {
  it('is dropped when its webhook was removed', () => {
    expect(outcomeOf({ deleted: true })).toEqual({ kind: 'dropped', reason: 'webhook removed' });
  });

  it('is postponed while its webhook is unknown', () => {
    expect(outcomeOf({}, { directory: createDirectory([]) })).toMatchObject({
      kind: 'postponed',
      reason: 'webhook is not known yet',
    });
  });

  it('is dropped when its receiver has responded with 410', async () => {
    const log = pino({ level: 'silent' });
    const gone = new WebhookRemoval(
      dispatcherContext({ removeWebhook: async () => undefined, log }),
    );
    await gone.remove('w1');
    expect(chooseEndpoint(batch, gone, buildContext().context)).toEqual({
      outcome: { kind: 'dropped', reason: 'webhook removed (410)' },
    });
  });

  it('is postponed while its webhook is inactive', () => {
    expect(outcomeOf({ isActive: false })).toMatchObject({
      kind: 'postponed',
      reason: 'webhook inactive',
    });
  });

  it('becomes a dead letter when its URL is invalid or not allowed', () => {
    expect(outcomeOf({}, { validateUrl: validateFor() })).toEqual({
      kind: 'dead',
      reason: 'address refused: its host is a loopback address',
    });
    expect(outcomeOf({ url: 'nonsense' })).toMatchObject({ kind: 'dead' });
  });
});

describe('a batch', () => {
  it('is sent with the documented headers', async () => {
    const { sent } = await deliver({ kind: 'answered', status: 200 });
    const [request] = sent;
    const headers = request?.headers ?? [];
    expect(headers.filter((_, index) => index % 2 === 0)).toEqual([
      'Content-Type',
      'User-Agent',
      'X-Signature',
      'Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'X-Webhook-Id',
      'X-Webhook-Event',
      'X-Webhook-Attempt',
    ]);
    expect(headers.at(-1)).toBe('2');
    expect(request?.body.toString()).toBe('[{"id":"r1"}]');
  });

  it('is delivered when its receiver responds with 2xx', async () => {
    expect(await deliver({ kind: 'answered', status: 204 })).toMatchObject({
      outcome: { kind: 'delivered', request: { status: 204 } },
      isGone: false,
    });
  });

  it('removes its webhook when the receiver responds with 410', async () => {
    expect(await deliver({ kind: 'answered', status: 410 })).toMatchObject({
      outcome: { kind: 'dropped', reason: 'webhook removed (410)', request: { status: 410 } },
      isGone: true,
    });
  });

  it('waits as long as its receiver requests without counting the first three attempts', async () => {
    const observed = {
      headers: ['retry-after', '1800'],
      body: Buffer.alloc(0),
      address: null,
      connectMs: 0,
      firstByteMs: 0,
    };
    const busy = { kind: 'answered', status: 503, observed } as const;
    const patience = { notBefore: expect.closeTo(Date.now() + 1_800_000, -4) };
    expect(await deliver(busy, 3)).toMatchObject({
      outcome: { kind: 'retried', patience: { ...patience, isSpared: true } },
    });
    expect(await deliver(busy, 4, { sparedAttempts: 3 })).toMatchObject({
      outcome: { kind: 'retried', patience: { ...patience, isSpared: false } },
    });
    expect(await deliver(busy, 6, { sparedAttempts: 3 })).toMatchObject({
      outcome: { kind: 'dead' },
    });
  });

  it('becomes a dead letter when its payload must be filtered but is unreadable', async () => {
    const directory = createDirectory(stockDefinitions);
    const data = { Account: { read: 'all' } };
    const fieldData = { Account: { website: { read: 'no' } } };
    for (const [entityType, values] of [
      ['Role', { data, fieldData }],
      ['User', { type: 'api', isActive: true, rolesIds: ['Role'] }],
      [
        'Webhook',
        {
          entityType: 'Account',
          type: 'create',
          url,
          isActive: true,
          secretKey: 's',
          userId: 'User',
        },
      ],
    ] as const) {
      directory.apply(aCreation(entityType, values, { recordId: entityType }));
    }
    const { context, sent } = buildContext({}, { directory });
    const events = batch.events.map((event) => ({ ...event, data: '{"id":' }));
    const unreadable = { ...batch, webhookId: 'Webhook', events };
    const choice = chooseEndpoint(unreadable, removal, context);
    if (!('endpoint' in choice)) throw new Error('no endpoint');
    expect(await deliverBatch(unreadable, choice.endpoint, context)).toEqual({
      outcome: { kind: 'dead', reason: expect.stringContaining('payload of an event') },
      isGone: false,
    });
    expect(sent).toEqual([]);
  });

  it('is retried after a failure and becomes a dead letter after the last attempt', async () => {
    const failure = { kind: 'failed', reason: 'connection failed: ECONNREFUSED' } as const;
    expect(await deliver(failure)).toMatchObject({
      outcome: {
        kind: 'retried',
        retryTopic: 1,
        reason: failure.reason,
        request: { status: null },
      },
      isGone: false,
    });
    expect(await deliver(failure, 3)).toMatchObject({
      outcome: { kind: 'dead', reason: failure.reason },
    });
  });
});

describe('a failed batch', () => {
  const failure = { kind: 'failed', reason: 'connection failed: ECONNREFUSED' } as const;
  /** `attempts` includes the failing one. */
  const failedAfter = async (attempts: number, maxAttempts = 4, sparedAttempts = 0) =>
    (await deliver(failure, attempts - 1, { sparedAttempts, maxAttempts })).outcome;

  it('moves to the retry topic for its attempt and is due one period later', async () => {
    const dueAt = expect.closeTo(Date.now() + 1_000, -3);
    expect(await Promise.all([1, 2, 3].map((attempts) => failedAfter(attempts)))).toMatchObject([
      { kind: 'retried', retryTopic: 0, dueAt },
      { kind: 'retried', retryTopic: 1, dueAt },
      { kind: 'retried', retryTopic: 2, dueAt },
    ]);
  });

  it('is given up after the allowed number of attempts, including the first', async () => {
    expect(await failedAfter(4)).toMatchObject({ kind: 'dead' });
    expect(await failedAfter(1, 1)).toMatchObject({ kind: 'dead' });
    expect(await failedAfter(9, 4)).toMatchObject({ kind: 'dead' });
  });

  it('continues after attempts that do not count', async () => {
    expect(await failedAfter(6, 4, 3)).toMatchObject({ kind: 'retried', retryTopic: 2 });
    expect(await failedAfter(7, 4, 3)).toMatchObject({ kind: 'dead' });
  });

  it('stays in the last retry topic when there are more attempts than topics', async () => {
    expect(await failedAfter(7, 10)).toMatchObject({ kind: 'retried', retryTopic: 2 });
  });
});
