import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityDefinition } from '../../../shared/domain/entity/entity-definition.ts';
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

function planFor(entityType: string, select?: readonly string[]) {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`no ${entityType}`);
  const view = viewFor(admin, model, directory.entity);
  return buildReadPlan({ model, view, list: select && { select }, findModel: directory.entity });
}

describe('a read plan', () => {
  it('knows where each name comes from', () => {
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

  it('brings the id along with a name', () => {
    const { select } = planFor('Contact', ['teamsNames']);
    expect(select).toContain('"teamsIds"');
    expect(select).not.toContain('"name"');
  });

  it('never shows a secret, not even of another entity type through a link', () => {
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
