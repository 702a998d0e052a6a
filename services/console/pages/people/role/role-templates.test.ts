import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../api/metadata.ts';
import { grantsOf } from './role-templates.ts';

const type = {
  acl: true,
  tab: true,
  aclActionList: ['create', 'read', 'edit', 'delete', 'stream'],
  aclLevelList: ['all', 'team', 'own', 'no'],
};
const scopes = {
  Account: type,
  Case: type,
  CProject: type,
  Note: { acl: true },
} as unknown as Readonly<Record<string, Scope>>;

const team = { create: 'yes', read: 'team', edit: 'team', delete: 'own', stream: 'team' };
const readOnly = { create: 'no', read: 'all', edit: 'no', delete: 'no', stream: 'all' };

describe('the permissions that a new role starts with', () => {
  it.each([
    ['sales', { Account: team, Case: readOnly, CProject: readOnly }],
    ['support', { Account: readOnly, Case: team, CProject: readOnly }],
    ['readOnly', { Account: readOnly, Case: readOnly, CProject: readOnly }],
  ] as const)('let %s edit the records of the team and read all others', (template, expected) => {
    const { data } = grantsOf(template, scopes);
    expect(data).toMatchObject(expected);
    expect(data).not.toHaveProperty('Note');
  });
});
