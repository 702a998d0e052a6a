import { describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../domain/access/actor.ts';
import { createDirectory } from '../domain/directory/directory.ts';
import type { EntityModel } from '../domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../domain/value/attribute-values.ts';
import { viewFor } from './record-view.ts';

const directory = createDirectory(stockDefinitions);

function actor(
  type: Actor['type'],
  data: AttributeValues = {},
  fieldData: AttributeValues = {},
): Actor {
  const values = { data, fieldData };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  return buildActor({ id: 'x', name: 'x', userName: 'x', type, teamIds: ['t'] }, [role]);
}

function modelOf(entityType: string): EntityModel {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`no ${entityType}`);
  return model;
}

function view(who: Actor, entityType: string) {
  return viewFor(who, modelOf(entityType), directory.entity);
}

function visible(who: Actor, entityType: string): readonly string[] {
  const { isVisible } = view(who, entityType);
  return modelOf(entityType)
    .attributes.filter(isVisible)
    .map(({ name }) => name);
}

function rows(who: Actor, entityType: string): string | undefined {
  return view(who, entityType).rows(modelOf(entityType), 't');
}

describe('viewFor', () => {
  it('shows all records and attributes at level all and throws without read access', () => {
    const all = actor('api', { Account: { read: 'all' } });
    expect(visible(all, 'Account')).toContain('name');
    expect(rows(all, 'Account')).toBeUndefined();
    expect(view(all, 'Account').viewer).toEqual([]);
    expect(() => visible(actor('api', { Account: { read: 'no' } }), 'Account')).toThrow(
      'No read access.',
    );
    expect(() => visible(actor('regular'), 'Account')).toThrow('No read access.');
  });

  it('limits rows to own or team records, depending on the level', () => {
    const own = actor('api', { Account: { read: 'own' } });
    expect(rows(own, 'Account')).toMatch(/^\(t\."assigned_user_id" = [^&]*\)$/);
    const team = actor('api', { Account: { read: 'team' } });
    expect(rows(team, 'Account')).toMatch(/assigned_user_id.* or .*t\."teams_ids" && /);
    expect(view(team, 'Account').viewer).toEqual(['x', ['t']]);
  });

  it('hides closed fields and linked values of closed fields', () => {
    const levels = { Account: { read: 'all' }, Contact: { read: 'all' } };
    const closed = { Account: { type: { read: 'no' } }, Contact: { address: { read: 'no' } } };
    const seen = visible(actor('api', levels, closed), 'Contact');
    expect(seen).toEqual(expect.arrayContaining(['name', 'accountId', 'accountName']));
    expect(seen.filter((name) => /^address|accountType/.test(name))).toEqual([]);
  });

  it('hides names in past states if only some of the linked records are readable', () => {
    const levels = { Account: { read: 'own' }, Contact: { read: 'all' } };
    const { isVisible, isVisibleInHistory } = view(actor('api', levels), 'Contact');
    const name = modelOf('Contact').attribute.get('accountName');
    expect(name && [isVisible(name), isVisibleInHistory(name)]).toEqual([true, false]);
  });

  it('shows limited attributes of users and shows roles only to administrators', () => {
    const everything = actor('regular', { User: { read: 'all' }, Role: { read: 'all' } });
    expect(() => visible(everything, 'Role')).toThrow('No read access.');
    expect(visible(everything, 'User')).toEqual(expect.arrayContaining(['name', 'userName']));
    expect(visible(everything, 'User').filter((name) => /role|team|auth/i.test(name))).toEqual([
      'teamsIds',
      'teamsNames',
      'teamsColumns',
      'rolesIds',
      'rolesNames',
    ]);
    const secrets = visible(actor('admin'), 'User').filter((name) => /hash|key/i.test(name));
    expect(secrets).toEqual(['apiKey', 'secretKey']);
    expect(rows(actor('regular'), 'User')).toContain('t."id" =');
    expect(rows(actor('regular'), 'Team')).toContain('t.id = any');
    expect(view(everything, 'User').listed('t')).toContain('is_active');
  });

  it('shows administrators all webhooks, API users their own, and other users none', () => {
    const webhooks = { Webhook: true };
    expect(visible(actor('admin'), 'Webhook')).toEqual(
      expect.arrayContaining(['userId', 'secretKey']),
    );
    const own = visible(actor('api', webhooks), 'Webhook');
    expect(own).toContain('secretKey');
    expect(own.filter((name) => name.startsWith('user'))).toEqual([]);
    expect(() => visible(actor('api'), 'Webhook')).toThrow("No access to 'Webhook':");
    expect(() => visible(actor('regular', webhooks), 'Webhook')).toThrow('Only API users');
  });
});
