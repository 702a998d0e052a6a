import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { unrepeated } from '../owner/command.ts';
import { serializeRefusal } from '../owner/protocol.ts';
import { cannotRelateForbidden } from '../records/input/link-refusals.ts';
import { decideMerge, mergeCommand } from './merge-commands.ts';
import type { PlannedMerge } from './merge-plan.ts';

const user = { id: 'ann', name: 'Ann', userName: 'ann', type: 'admin', teamIds: [] } as const;
const context = commandContext({ teamsOf: () => [], currencies: () => new Map() });

it('rejects a link to an unreadable record, even on another instance', () => {
  const model = createDirectory(stockDefinitions).entity('Contact');
  if (model === undefined) throw new Error('no Contact');
  const refusal = serializeRefusal(cannotRelateForbidden('Account'));
  const planned: PlannedMerge = {
    plan: { id: 'm', actorId: 'ann', sourceIds: ['s'], seen: { s: null } },
    update: {
      values: { accountId: 'a' },
      links: { values: {}, unreadable: [{ idAttribute: 'accountId', ids: ['a'], refusal }] },
    },
    sources: [],
    previous: null,
  };
  const body = mergeCommand.readBody(JSON.parse(JSON.stringify(planned)));
  const from = { model, id: 't', actor: buildActor(user, []), identity: unrepeated };
  const request = { ...from, body, conditions: {}, deadline: 0 };
  const state = { entityType: 'Contact', id: 't', version: 1, deleted: false, values: {} };

  const decide = () => decideMerge(state, request, { context, now: 0 });
  expect(decide).toThrow(Refusal);
  expect(decide).toThrow('no read access');
});

it('accepts merges from earlier instances that send no reason for a forbidden link', () => {
  const refusal = { name: 'Refusal', kind: 'forbidden', code: 'link.forbidden', detail: {} };
  const links = { values: {}, unreadable: [{ idAttribute: 'accountId', ids: ['a'], refusal }] };
  const plan = { id: 'm', actorId: 'ann', sourceIds: ['s'], seen: {} };
  const update = { values: {}, links };
  expect(mergeCommand.readBody({ plan, update, sources: [], previous: null })).toMatchObject({
    update: { links: { unreadable: [{ refusal: { message: 'No access to a linked record.' } }] } },
  });
});
