import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { encodeWebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import { buildBatch } from '../../../test/support/builders/build-batch.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { aCreation, anUpdateAfter } from '../../../test/support/builders/record-event-builder.ts';
import { redeliver } from './webhook-deliveries.ts';

const administrator = { id: 'a', userName: 'a', name: 'A', type: 'admin', teamIds: [] } as const;
const bytes = encodeWebhookBatch({ ...buildBatch('w1'), enqueuedAt: 0 });

/**
 * Simulates a table with this many batches. The last parameter of a query is the limit of
 * `listBatches`.
 */
function build(stored: number, deactivatedAt = Number.POSITIVE_INFINITY) {
  const directory = createDirectory(stockDefinitions);
  directory.apply(aCreation('Webhook', { event: 'Account.create' }, { recordId: 'w1' }));
  const user = aCreation('User', { type: 'admin', isActive: true }, { recordId: 'a' });
  directory.apply(user);
  let left = stored;
  const pages: number[] = [];
  let enqueued = 0;
  const pool = {
    query: async ({ values }: { readonly values: readonly unknown[] }) => {
      const rows = Array.from({ length: Math.min(Number(values.at(-1)), left) }, () => ({
        batch: bytes,
      }));
      left -= rows.length;
      pages.push(rows.length);
      return { rows };
    },
  };
  const context = commandContext({
    directory,
    pool,
    enqueue: async (batches: readonly unknown[]) => {
      enqueued += batches.length;
      if (enqueued >= deactivatedAt) directory.apply(anUpdateAfter(user, { isActive: false }));
    },
    requireRoom: () => {},
    now: () => 0,
  });
  const request = { actor: buildActor(administrator, []), id: 'w1' };
  return {
    pages,
    redeliver: () => redeliver(context, request, { deadLetters: true }),
    enqueued: () => enqueued,
  };
}

it('redelivers page by page up to the last batch', async () => {
  const { pages, redeliver, enqueued } = build(1_100);
  expect(await redeliver()).toEqual({ count: 1_100 });
  expect(pages).toEqual([500, 500, 100, 0]);
  expect(enqueued()).toBe(1_100);
});

it('redelivers 10,000 batches per call and returns the last one if more follow', async () => {
  const { redeliver, enqueued } = build(10_001);
  expect(await redeliver()).toMatchObject({ count: 10_000, last: { webhookId: 'w1' } });
  expect(enqueued()).toBe(10_000);
  expect(await build(10_000).redeliver()).toEqual({ count: 10_000 });
});

it('stops before the next page when the user is deactivated', async () => {
  const { redeliver, enqueued } = build(1_100, 500);
  await expect(redeliver()).rejects.toMatchObject({ code: 'user.inactive' });
  expect(enqueued()).toBe(500);
});
