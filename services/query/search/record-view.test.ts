import { describe, expect, it } from 'vitest';
import { mergeRoles } from '../../../shared/domain/access/access-table.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/record/attribute-values.ts';
import { viewFor } from './record-view.ts';

const directory = createDirectory(stockDefinitions);

function actor(type: Actor['type'], data: AttributeValues = {}): Actor {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values: { data } };
  return { id: 'x', name: 'x', userName: 'x', type, access: mergeRoles([role]) };
}

function visible(who: Actor, entityType: string): readonly string[] {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`no ${entityType}`);
  const { isVisible } = viewFor(who, model);
  return model.attributes.filter(isVisible).map(({ name }) => name);
}

describe('what an actor sees', () => {
  it('of a record is everything, with read access', () => {
    expect(visible(actor('api', { Account: { read: 'all' } }), 'Account')).toContain('name');
    for (const level of ['no', 'own', 'team']) {
      expect(() => visible(actor('api', { Account: { read: level } }), 'Account')).toThrow(
        'No read access.',
      );
    }
    expect(() => visible(actor('regular'), 'Account')).toThrow('No read access.');
  });

  it('of users, teams and roles is nothing, unless it is an administrator', () => {
    for (const entityType of ['User', 'Team', 'Role']) {
      const everything = actor('regular', { [entityType]: { read: 'all' } });
      expect(() => visible(everything, entityType)).toThrow('No read access.');
      expect(visible(actor('admin'), entityType)).toContain('name');
    }
    expect(visible(actor('admin'), 'User').filter((name) => /hash|key/i.test(name))).toEqual([]);
  });

  it('of webhooks is all for administrators, its own for an API user, nothing for others', () => {
    const webhooks = { Webhook: true };
    expect(visible(actor('admin'), 'Webhook')).toEqual(
      expect.arrayContaining(['userId', 'secretKey']),
    );
    const own = visible(actor('api', webhooks), 'Webhook');
    expect(own).toContain('secretKey');
    expect(own.filter((name) => name.startsWith('user'))).toEqual([]);
    expect(() => visible(actor('api'), 'Webhook')).toThrow("No access to 'Webhook'.");
    expect(() => visible(actor('regular', webhooks), 'Webhook')).toThrow("No access to 'Webhook'.");
  });
});
