import { describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { planMassAction } from './plan-mass-action.ts';

const directory = createDirectory(stockDefinitions);
const user = { id: 'ann', name: 'Ann', userName: 'ann', teamIds: [] } as const;
const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

function actorWith(role: Readonly<Record<string, unknown>>): Actor {
  const values = { data: { Lead: all, Task: all }, ...role } as never;
  const state = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  return buildActor({ ...user, type: 'api' }, [state]);
}

const admin = buildActor({ ...user, type: 'admin' }, []);
const updater = actorWith({ massUpdatePermission: 'yes' });
const plain = actorWith({});

const update = {
  entityType: 'Lead',
  action: 'update',
  params: { ids: ['a', 'b', 'a'] },
  data: { values: { status: 'Dead' } },
};
const search = { where: [{ type: 'equals', attribute: 'status', value: 'New' }] };

/** Returns the plan, or the code of the refusal. */
async function plan(body: object, actor = updater): Promise<unknown> {
  const config = { maxMassActionRecords: 3 };
  const context = commandContext({ config, directory, findIds: async () => ['x', 'y'] });
  return planMassAction({ actor, body: { ...update, ...body } }, context).catch(
    (error: { readonly code: string }) => error.code,
  );
}

describe('the plan of a mass action', () => {
  it('contains each id once and only writable data', async () => {
    const values = { status: 'Dead', password: 'x', createdAt: '2030-01-01', conversion: 'y' };
    expect(await plan({ data: { values } })).toEqual({
      entityType: 'Lead',
      action: 'update',
      data: { values: { status: 'Dead' } },
      ids: ['a', 'b'],
      isByIds: true,
    });
    expect(await plan({ params: search })).toMatchObject({ ids: ['x', 'y'], isByIds: false });
    expect(await plan({ params: { searchParams: search } })).toMatchObject({ ids: ['x', 'y'] });
  });

  it('requires the mass update permission for updates and for deletions by search', async () => {
    const remove = { action: 'delete', data: undefined };
    expect(await plan({}, plain)).toBe('mass_action.denied');
    expect(await plan({ ...remove, params: search }, plain)).toBe('mass_action.denied');
    expect(await plan(remove, plain)).toMatchObject({ ids: ['a', 'b'], data: {} });
    expect(await plan({ ...remove, params: search })).toMatchObject({ isByIds: false });
  });

  it.each([
    [{ entityType: 'Contact' }, 'access.denied'],
    [{ entityType: 'Nothing' }, 'entity.unknown'],
    [{ entityType: 'MassAction' }, 'entity.unknown'],
    [{ entityType: 'Role' }, 'mass_action.not_allowed'],
    [{ entityType: 'User' }, 'mass_action.not_allowed'],
    [{ entityType: '' }, 'mass_action.body'],
    [{ entityType: 7 }, 'mass_action.body'],
    [{ action: 'lock' }, 'mass_action.not_allowed'],
    [{ action: 'unlock', entityType: 'Account' }, 'mass_action.not_allowed'],
    [{ action: 'massLink' }, 'action.unknown'],
    [{ action: 'follow', entityType: 'Webhook' }, 'mass_action.not_allowed'],
    [{ action: 'follow', entityType: 'Contact' }, 'access.denied'],
    [{ action: 'constructor' }, 'action.unknown'],
    [{ action: 'convertCurrency', entityType: 'Task' }, 'mass_action.not_allowed'],
    [{ action: 'convertCurrency', data: { targetCurrency: 'XXX' } }, 'mass_action.data'],
    [{ action: 'recalculateFormula' }, 'access.admin_only'],
    [{ params: undefined }, 'mass_action.body'],
    [{ params: [] }, 'mass_action.body'],
    [{ params: { ids: 'a' } }, 'mass_action.body'],
    [{ params: { ids: ['a', 1] } }, 'mass_action.body'],
    [{ params: { ids: ['\u0000'] } }, 'mass_action.body'],
    [{ params: { ids: ['a'], ...search } }, 'mass_action.body'],
    [{ params: { where: 'all' } }, 'where.invalid'],
    [{ params: { searchParams: { textFilter: 7 } } }, 'parameter.invalid'],
    [{ data: undefined }, 'mass_action.data'],
    [{ data: { values: [] } }, 'mass_action.data'],
    [{ data: { values: { status: 'Gone' } } }, 'record.invalid'],
    [{ data: { values: {}, actions: { teams: 'add' } } }, 'mass_action.data'],
  ])('rejects %j with the code %s', async (body, code) => {
    expect(await plan(body)).toBe(code);
  });

  it('requires only stream access to follow records', async () => {
    const follow = { action: 'follow', data: undefined };
    expect(await plan(follow, plain)).toMatchObject({ action: 'follow', data: {} });
    const blind = actorWith({ data: { Lead: { ...all, stream: 'no' } } });
    expect(await plan({ action: 'unfollow' }, blind)).toBe('access.denied');
  });

  it('is always allowed for administrators', async () => {
    expect(await plan({ action: 'recalculateFormula' }, admin)).toMatchObject({ data: {} });
    expect(
      await plan({ entityType: 'Webhook', data: { values: { isActive: false } } }, admin),
    ).toMatchObject({ data: { values: { isActive: false } } });
  });
});
