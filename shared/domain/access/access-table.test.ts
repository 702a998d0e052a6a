import { describe, expect, it } from 'vitest';
import type { AttributeValue } from '../value/attribute-values.ts';
import { levelOf, mergeRoles } from './access-table.ts';

function role(data: AttributeValue) {
  return { entityType: 'Role', id: 'r', version: 1, deleted: false, values: { data } };
}

describe('the merged roles of a user', () => {
  it('give the most permissive level per scope and action', () => {
    const table = mergeRoles([
      role({ Account: { read: 'own', edit: 'all', delete: 'no' } }),
      role({ Account: { read: 'team', edit: 'no' } }),
    ]);
    expect(levelOf(table, 'Account', 'read')).toBe('team');
    expect(levelOf(table, 'Account', 'edit')).toBe('all');
    expect(levelOf(table, 'Account', 'delete')).toBe('no');
  });

  it('deny a scope only if nobody grants it', () => {
    const table = mergeRoles([role({ Lead: false }), role({ Lead: { read: 'all' } })]);
    expect(levelOf(table, 'Lead', 'read')).toBe('all');
    expect(levelOf(mergeRoles([role({ Lead: false })]), 'Lead', 'create')).toBe('no');
  });

  it('count a missing create as yes and any other missing action as no', () => {
    const table = mergeRoles([role({ Case: { read: 'all' } })]);
    expect(levelOf(table, 'Case', 'create')).toBe('yes');
    expect(levelOf(table, 'Case', 'edit')).toBe('no');
  });

  it('let nobody make users or teams, whether or not they say so', () => {
    const table = mergeRoles([role({ User: { read: 'all' }, Team: { read: 'all' } })]);
    for (const scope of ['User', 'Team']) {
      expect(levelOf(table, scope, 'read')).toBe('all');
      expect(levelOf(table, scope, 'create')).toBe('no');
    }
  });

  it('take a scope that is null for one that is not mentioned', () => {
    const table = mergeRoles([role({ Case: null, User: null })]);
    expect(levelOf(table, 'Case', 'create')).toBe('no');
    expect(levelOf(table, 'User', 'read')).toBe('own');
  });

  it('take nothing back that another role grants without saying so', () => {
    const table = mergeRoles([
      role({ Case: { read: 'team' } }),
      role({ Case: { read: 'own', stream: 'no', create: 'no' } }),
    ]);
    expect(levelOf(table, 'Case', 'stream')).toBe('team');
    expect(levelOf(table, 'Case', 'create')).toBe('yes');
  });

  it('give nothing for a scope that none mentions, nor for levels that do not exist', () => {
    const table = mergeRoles([role({ Case: { read: 'everything' } }), role(null)]);
    expect(levelOf(table, 'Case', 'read')).toBe('no');
    expect(levelOf(table, 'Account', 'read')).toBe('no');
    expect(levelOf(table, '__proto__', 'read')).toBe('no');
  });
});
