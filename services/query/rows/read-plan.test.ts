import { describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityDefinition } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import { buildReadPlan } from './read-plan.ts';

const admin = buildActor({ id: 'x', name: 'x', userName: 'x', type: 'admin', teamIds: [] }, []);
const prying: EntityDefinition = {
  name: 'Prying',
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    hash: { type: 'foreign', link: 'createdBy', entityType: 'User', attribute: 'passwordHash' },
    hook: { type: 'link', entityType: 'Webhook' },
    hookSecret: { type: 'foreign', link: 'hook', entityType: 'Webhook', attribute: 'secretKey' },
  },
};
const directory = createDirectory([...stockDefinitions, prying]);

function planFor(
  entityType: string,
  select?: readonly string[],
  { orderedBy = [], actor = admin }: { orderedBy?: readonly string[]; actor?: Actor } = {},
) {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`unknown entity type ${entityType}`);
  const view = viewFor(actor, model, directory.entity);
  const list = select && { select, orderedBy };
  return buildReadPlan({ model, view, list, findModel: directory.entity });
}

describe('a read plan', () => {
  it('contains the source of each name', () => {
    const places = new Map(
      planFor('Contact').names.map(({ attribute, place }) => [attribute, place]),
    );
    expect(Object.fromEntries(places)).toEqual({
      accountsNames: 'table',
      targetListsNames: 'table',
      portalUserName: 'memory',
      createdByName: 'memory',
      modifiedByName: 'memory',
      assignedUserName: 'memory',
      teamsNames: 'memory',
    });
  });

  it('selects the id along with a name', () => {
    const { select } = planFor('Contact', ['teamsNames']);
    expect(select).toContain('"teamsIds"');
    expect(select).not.toContain('"name"');
  });

  it('always selects the owners and the sort attributes', () => {
    const { selected } = planFor('Account', ['website'], { orderedBy: ['modifiedAt'] });
    expect(selected).toEqual(['id', 'website', 'modifiedAt', 'createdById', 'assignedUserId']);
    expect(planFor('User', ['name']).selected).toEqual(
      expect.arrayContaining(['id', 'name', 'userName', 'type', 'isActive']),
    );
    expect(planFor('User', ['name']).selected).not.toContain('title');
    expect(planFor('Team', ['name']).selected).toEqual(['id', 'name', 'createdById']);
    const sorted = planFor('Contact', [], { orderedBy: ['accountName'] });
    expect(sorted.selected).toEqual([
      'id',
      'accountId',
      'accountName',
      'createdById',
      'assignedUserId',
    ]);
  });

  it('omits the owners if the reader may not see them', () => {
    const closed = { read: 'no', edit: 'no' };
    const values = {
      data: { Account: { read: 'all' } },
      fieldData: { Account: { assignedUser: closed, createdBy: closed } },
    };
    const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
    const actor = buildActor({ id: 'x', name: 'x', userName: 'x', type: 'api', teamIds: [] }, [
      role,
    ]);
    expect(planFor('Account', ['name'], { actor }).selected).toEqual(['id', 'name']);
  });

  it('never shows a secret, even of another entity type through a link', () => {
    const prying = planFor('Prying');
    expect(prying.select + prying.joins).not.toMatch(/_hash|secret_key|api_key/);
    const user = planFor('User');
    expect(user.select + user.joins).not.toMatch(/_hash/);
    expect(user.opened).toEqual(['apiKey', 'secretKey']);
    expect(planFor('Prying').names.find(({ attribute }) => attribute === 'hash')?.place).toBe(
      'nowhere',
    );
  });
});
