import { expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { encodeEvent } from '../../../shared/events/log-entry-codec.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { internalCommandDefaults } from '../owner/command.ts';
import { planUndo } from './plan-undo.ts';

const directory = createDirectory(stockDefinitions);
const now = Date.UTC(2030, 0, 2);
const user = { id: 'ann', name: 'Ann', userName: 'ann', type: 'admin', teamIds: [] } as const;
const mergePlan = JSON.stringify({
  id: '6920300f5a1b2c3d4',
  actorId: 'ann',
  sourceIds: ['s'],
  seen: { s: null },
});

/** Plans the undo of an event, and returns the steps that were carried out before the plan. */
async function stepsBefore(
  event: Partial<RecordEvent>,
  {
    isSourceDeleted,
    plannedAt = now,
    actor = buildActor(user, []),
  }: { isSourceDeleted: boolean; plannedAt?: number; actor?: Actor },
): Promise<readonly string[]> {
  const steps: string[] = [];
  const model = directory.entity('Account');
  if (model === undefined) throw new Error('no Account');
  const values = { mergePlan, mergePlannedAt: formatDateTime(plannedAt) };
  const states = new Map([
    ['t', { entityType: 'Account', id: 't', version: 2, deleted: false, values }],
    ['s', { entityType: 'Account', id: 's', version: 2, deleted: isSourceDeleted, values: {} }],
  ]);
  const stored = aCreation('Account', {}, { occurredAt: now, actorId: 'ann', ...event });
  const rows = [{ event: encodeEvent({ ...stored, token: 't', sequence: 1 }) }];
  const sender = senderOf(async ({ name }, { id }) => {
    steps.push(`${name} ${id}`);
    return { changed: [], written: [], isReplay: false } as never;
  });
  const context = commandContext({
    directory,
    sender,
    now: () => now,
    untilCaughtUp: async () => undefined,
    config: { maxMassActionRecords: 10 },
    pool: {
      query: async (text: string) => ({ rows: text.startsWith('select event') ? rows : [] }),
    },
    readState: async (_: unknown, id: string) => states.get(id),
    endMergesOf: async ({ id }: { readonly id: string }) => steps.push(`end merges of ${id}`),
    async *findReferring() {},
  });
  const changeId = `Account/${stored.recordId}/${stored.version}`;
  const command = { ...internalCommandDefaults, actor, model, body: {}, deadline: now, changeId };
  await planUndo(command, context).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    steps.push(error.code);
  });
  return steps;
}

const merged: Partial<RecordEvent> = {
  type: 'Updated',
  recordId: 't',
  version: 2,
  changes: [{ attribute: 'mergePlan', before: null, after: mergePlan }],
};

it('completes a running merge before undoing it', async () => {
  expect(await stepsBefore(merged, { isSourceDeleted: false })).toEqual([
    'merge-away s',
    'end merges of s',
  ]);
  expect(await stepsBefore(merged, { isSourceDeleted: true })).toEqual(['end merges of s']);
});

it('does not complete an abandoned merge', async () => {
  const plannedAt = now - 8 * 86_400_000;
  expect(await stepsBefore(merged, { isSourceDeleted: false, plannedAt })).toEqual([
    'end merges of s',
  ]);
});

it('ends merges that deleted a record before restoring the record', async () => {
  const deletion = { type: 'Deleted', recordId: 's', version: 2 } as const;
  expect(await stepsBefore(deletion, { isSourceDeleted: true })).toEqual(['end merges of s']);
  expect(await stepsBefore(deletion, { isSourceDeleted: false })).toEqual([]);
  const actor = buildActor({ ...user, type: 'regular' }, []);
  const [code, ...others] = await stepsBefore(deletion, { isSourceDeleted: true, actor });
  expect([code, others]).toEqual(['access.denied', []]);
});
