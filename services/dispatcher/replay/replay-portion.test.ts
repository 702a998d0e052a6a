import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { WebhookReplay } from '../../../shared/domain/directory/webhook-replay.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { Access } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { toWebhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import type { ReplayProgress } from '../../../shared/events/replay-progress.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { replayPortion } from './replay-portion.ts';

const fence = encodeFence({
  token: 't',
  prevToken: null,
  owner: 'o',
  address: 'http://127.0.0.1:1',
  occurredAt: 0,
});

const nobodys: Access = { assignedUserId: null, createdById: 'admin', teamIds: [] };

/** Returns a partition with creations at these times, after a fence. Reading begins at `from`. */
function partition(
  number: number,
  times: readonly number[],
  from = 0n,
  accessAt: (time: number) => Access = () => nobodys,
  more: AttributeValues = {},
) {
  const entries = times.map((occurredAt, index) =>
    encodeEvent({
      ...aCreation(
        'Account',
        { name: `at ${occurredAt}`, ...more },
        { recordId: `r${occurredAt}` },
      ),
      occurredAt,
      access: accessAt(occurredAt),
      token: 't',
      sequence: index + 1,
    }),
  );
  const messages = [fence, ...entries].map((value, index) => ({
    offset: BigInt(index),
    key: null,
    value,
    timestamp: 0,
    proof: 'none' as const,
  }));
  return {
    topic: 'records',
    partition: number,
    offset: from,
    messages: messages.filter(({ offset }) => offset >= from),
    nextOffset: BigInt(messages.length),
  };
}

function webhook(options: AttributeValues = {}) {
  const values = {
    event: 'Account.create',
    entityType: 'Account',
    type: 'create',
    url: 'https://example.org',
    isActive: true,
    activity: [],
    ...options,
  };
  return toWebhook({ entityType: 'Webhook', id: 'w1', version: 1, deleted: false, values });
}

const replay: WebhookReplay = {
  id: 'replay',
  webhookId: 'w1',
  from: 10,
  to: 40,
  dryRun: false,
  isCancelled: false,
  startedById: 'ann',
  ends: [4n, 3n],
};
const begin: ReplayProgress = {
  positions: [0, 1].map((number) => ({ partition: number, offset: 0n, ...emptyFold })),
  events: 0,
  hidden: 0,
  batches: 0,
  isDone: false,
  samples: [],
};
const context = {
  directory: createDirectory(stockDefinitions),
  webhook: webhook(),
  replay,
  batchSize: 50,
  now: 7,
};
const idsIn = ({ batches }: ReturnType<typeof replayPortion>) =>
  batches.map(({ events }) => events.map(({ recordId }) => recordId));

describe('a portion of a replay', () => {
  const read = [partition(0, [5, 10, 30]), partition(1, [20, 40])];

  it('contains the events of its time range even if the webhook was never active', () => {
    const portion = replayPortion(begin, read, context);
    expect(idsIn(portion)).toEqual([['r10', 'r20', 'r30']]);
    expect(portion.batches[0]).toMatchObject({ replayId: 'replay', webhookId: 'w1' });
    expect(portion.progress).toMatchObject({ events: 3, batches: 1, isDone: true, samples: [] });
  });

  it('passes the trace of its first change to its batch', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const traced = partition(0, [10]);
    const headers = { traceparent: Buffer.from(traceparent) };
    const messages = traced.messages.map((message) => ({ ...message, headers }));
    const { batches } = replayPortion(begin, [{ ...traced, messages }], context);
    expect(batches).toMatchObject([{ traceparent }]);
  });

  it('ends where the log ended when the replay was requested', () => {
    const short = { ...context, replay: { ...replay, ends: [3n, 1n] } };
    expect(idsIn(replayPortion(begin, read, short))).toEqual([['r10']]);
  });

  it('continues after the previous portion with its fold state', () => {
    const first = replayPortion(begin, [partition(0, [5, 10])], context);
    expect(first.progress).toMatchObject({ events: 1, isDone: false });
    const second = replayPortion(
      first.progress,
      [partition(0, [5, 10, 30], 3n), partition(1, [20, 40])],
      context,
    );
    expect(idsIn(second)).toEqual([['r20', 'r30']]);
    expect(second.progress).toMatchObject({ events: 3, batches: 2, isDone: true });
  });

  it("contains unnumbered events in batches of the webhook's size", () => {
    const numbering = { ...context, webhook: webhook({ payloadFormat: 'events', batchSize: 2 }) };
    const portion = replayPortion(begin, read, numbering);
    expect(idsIn(portion)).toEqual([['r10', 'r20'], ['r30']]);
    expect(portion.batches[0]?.payloadFormat).toBe('events');
    expect(portion.batches[0]?.events[0]).not.toHaveProperty('sequence');
  });

  it('is counted and sampled but not enqueued in a dry run', () => {
    const dry = { ...context, replay: { ...replay, dryRun: true } };
    const { batches, progress } = replayPortion(begin, read, dry);
    expect(batches).toEqual([]);
    expect(progress).toMatchObject({ events: 3, batches: 1 });
    expect(progress.samples).toMatchObject([{ id: 'r10' }, { id: 'r20' }, { id: 'r30' }]);
  });

  it('truncates values in the samples of a dry run', () => {
    const dry = { ...context, replay: { ...replay, dryRun: true } };
    const description = 'x'.repeat(520_000);
    const large = [partition(0, [10, 20, 30], 0n, undefined, { description }), read[1]];
    const { progress } = replayPortion(
      begin,
      large.filter((one) => one !== undefined),
      dry,
    );
    expect(progress.samples).toHaveLength(3);
    expect(progress.samples).toMatchObject([{ id: 'r10', description: 'x'.repeat(1_000) }, {}, {}]);
  });

  it.each([true, false])('counts events that the receiver may not read (dry run: %s)', (dryRun) => {
    const directory = createDirectory(stockDefinitions);
    const closed = { Account: { website: { read: 'no', edit: 'no' } } };
    const role = { data: { Account: { read: 'own' } }, fieldData: closed };
    const user = { type: 'api', isActive: true, rolesIds: ['role'], teamsIds: [] };
    directory.apply(aCreation('Role', role, { recordId: 'role' }));
    directory.apply(aCreation('User', user, { recordId: 'bot' }));
    const isOwn = (time: number): boolean => time !== 20 && time !== 30;
    const mixed = partition(0, [10, 20, 30, 31, 32], 0n, (time) => ({
      assignedUserId: isOwn(time) ? 'bot' : 'other',
      createdById: null,
      teamIds: [],
    }));
    const { batches, progress } = replayPortion(begin, [mixed], {
      ...context,
      directory,
      webhook: webhook({ userId: 'bot', batchSize: 2 }),
      replay: { ...replay, dryRun, ends: [6n, 0n] },
    });
    expect(progress).toMatchObject({ events: 3, hidden: 2, batches: 2, isDone: true });
    expect(batches.map(({ events }) => events.map(({ recordId }) => recordId))).toEqual(
      dryRun ? [] : [['r10', 'r31'], ['r32']],
    );
    expect(progress.samples.map((sample) => Object(sample).id)).toEqual(
      dryRun ? ['r10', 'r31', 'r32'] : [],
    );
    for (const sample of progress.samples) expect(sample).not.toHaveProperty('website');
  });

  it('skips entries with an invalid token and unreadable entries', () => {
    const odd = partition(0, [10]);
    const messages = [
      ...odd.messages,
      { offset: 2n, key: null, value: Buffer.from('?'), timestamp: 0, proof: 'none' as const },
      {
        offset: 3n,
        key: null,
        value: odd.messages[1]?.value ?? null,
        timestamp: 0,
        proof: 'none' as const,
      },
    ];
    const portion = replayPortion(begin, [{ ...odd, messages, nextOffset: 4n }], context);
    expect(idsIn(portion)).toEqual([['r10']]);
    expect(portion.progress.positions[0]).toMatchObject({ offset: 4n, token: 't', sequence: 1 });
  });
});
