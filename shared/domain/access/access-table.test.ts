import { describe, expect, it } from 'vitest';
import type { AttributeValue } from '../value/attribute-values.ts';
import { levelOf, mergeRoles } from './access-table.ts';

function role(data: AttributeValue) {
  return { entityType: 'Role', id: 'r', version: 1, deleted: false, values: { data } };
}

describe('mergeRoles', () => {
  it('grants the most permissive level per scope and action', () => {
    const table = mergeRoles([
      role({ Account: { read: 'own', edit: 'all', delete: 'no' } }),
      role({ Account: { read: 'team', edit: 'no' } }),
    ]);
    expect(levelOf(table, 'Account', 'read')).toBe('team');
    expect(levelOf(table, 'Account', 'edit')).toBe('all');
    expect(levelOf(table, 'Account', 'delete')).toBe('no');
  });

  it('denies a scope only if no role grants it', () => {
    const table = mergeRoles([role({ Lead: false }), role({ Lead: { read: 'all' } })]);
    expect(levelOf(table, 'Lead', 'read')).toBe('all');
    expect(levelOf(mergeRoles([role({ Lead: false })]), 'Lead', 'create')).toBe('no');
  });

  it('treats a missing create as yes and any other missing action as no', () => {
    const table = mergeRoles([role({ Case: { read: 'all' } })]);
    expect(levelOf(table, 'Case', 'create')).toBe('yes');
    expect(levelOf(table, 'Case', 'edit')).toBe('no');
  });

  it('never grants creating users or teams, even if a role mentions them', () => {
    const table = mergeRoles([role({ User: { read: 'all' }, Team: { read: 'all' } })]);
    for (const scope of ['User', 'Team']) {
      expect(levelOf(table, scope, 'read')).toBe('all');
      expect(levelOf(table, scope, 'create')).toBe('no');
    }
  });

  it('treats a null scope as not mentioned', () => {
    const table = mergeRoles([role({ Case: null, User: null })]);
    expect(levelOf(table, 'Case', 'create')).toBe('no');
    expect(levelOf(table, 'User', 'read')).toBe('own');
  });

  it('keeps defaults granted by one role when another role denies them', () => {
    const table = mergeRoles([
      role({ Case: { read: 'team' } }),
      role({ Case: { read: 'own', stream: 'no', create: 'no' } }),
    ]);
    expect(levelOf(table, 'Case', 'stream')).toBe('team');
    expect(levelOf(table, 'Case', 'create')).toBe('yes');
  });

  it('grants nothing for unmentioned scopes and unknown levels', () => {
    const table = mergeRoles([role({ Case: { read: 'everything' } }), role(null)]);
    expect(levelOf(table, 'Case', 'read')).toBe('no');
    expect(levelOf(table, 'Account', 'read')).toBe('no');
    expect(levelOf(table, '__proto__', 'read')).toBe('no');
  });
});
