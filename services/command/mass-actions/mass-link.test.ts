import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import type { IdSearch } from '../../../shared/search/find-ids.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { bySystem } from '../owner/command.ts';
import { linkCommand } from '../records/link.ts';
import { recordStep } from './mass-action-kinds.ts';
import { planMassLink } from './mass-link.ts';

const directory = createDirectory(stockDefinitions);
const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const user = { id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] } as const;

function actorWith(data: Readonly<Record<string, unknown>>) {
  const values = { data } as never;
  return buildActor(user, [{ entityType: 'Role', id: 'r', version: 1, deleted: false, values }]);
}

function modelOf(name: string): EntityModel {
  const model = directory.entity(name);
  if (model === undefined) throw new Error(`no ${name}`);
  return model;
}

const where = [{ type: 'equals', attribute: 'status', value: 'New' }];
const linker = actorWith({ TargetList: all, Lead: all, Account: all, Contact: all });

interface Asked {
  readonly entityType?: string;
  readonly link?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly actor?: typeof linker;
  readonly owner?: string;
  readonly conditions?: Conditions;
}

/** Returns the plan and the search, or the code of the refusal. */
async function plan({ entityType = 'TargetList', link = 'leads', ...input }: Asked = {}) {
  const model = modelOf(entityType);
  const found = linksOf(model, directory.entity).get(link) as EntityLink & { entityType: string };
  const { body = { massRelate: true, where }, actor = linker, owner = 'ann' } = input;
  let searched: IdSearch | undefined;
  const context = commandContext({
    directory,
    config: { maxMassActionRecords: 5_000 },
    async findIds(search: IdSearch) {
      searched = search;
      return ['x', 'y'];
    },
    readState: async (_: EntityModel, id: string) =>
      id === 'list'
        ? { entityType, id, version: 1, deleted: false, values: { assignedUserId: owner } }
        : undefined,
  });
  const { conditions = {} } = input;
  const planning = planMassLink(
    {
      command: { ...bySystem, actor, conditions, model, body, deadline: 0 },
      id: 'list',
      link: found,
    },
    context,
  );
  return planning.then(
    (planned) => ({ planned, limit: searched?.limit }),
    (error: { readonly code: string }) => error.code,
  );
}

describe('linking the records of a search', () => {
  it('changes each record that the search finds', async () => {
    expect(await plan()).toEqual({
      planned: {
        entityType: 'Lead',
        action: 'massLink',
        data: { field: 'targetLists', entityType: 'TargetList', id: 'list' },
        ids: ['x', 'y'],
        isByIds: false,
      },
      limit: 5_001,
    });
    const data = { field: 'targetLists', entityType: 'TargetList', id: 'list' };
    const target = { actor: linker, model: modelOf('Lead'), id: 'x' };
    expect(recordStep('massLink')?.toCommand(data, target, directory.entity)).toEqual({
      command: linkCommand,
      body: { field: 'targetLists', ids: ['list'], entityType: 'TargetList', side: 'foreign' },
    });
  });

  it('allows fewer records if one record stores all ids', async () => {
    expect(await plan({ link: 'users' })).toMatchObject({ limit: 1_001 });
  });

  it.each([
    [{ entityType: 'Account', link: 'contacts' }, 'link.mass'],
    [{ link: 'campaigns' }, 'link.mass'],
    [{ conditions: { ifMatch: [2] } }, 'record.version_differs'],
    [{ body: { massRelate: true } }, 'mass_action.body'],
    [{ body: { massRelate: true, searchParams: 'all' } }, 'mass_action.body'],
    [{ body: { massRelate: true, where: 'all' } }, 'where.invalid'],
    [{ actor: actorWith({ TargetList: all, Lead: { read: 'all' } }) }, 'access.denied'],
    [{ actor: actorWith({ TargetList: { read: 'all' }, Lead: all }) }, 'access.denied'],
    [
      { actor: actorWith({ TargetList: { read: 'all', edit: 'own' }, Lead: all }), owner: 'bob' },
      'access.denied',
    ],
  ])('is rejected with %j', async (input, code) => {
    expect(await plan(input)).toBe(code);
  });

  it('accepts both forms of a search', async () => {
    const body = { massRelate: true, searchParams: { where } };
    expect(await plan({ body })).toMatchObject({ planned: { ids: ['x', 'y'] } });
  });
});
