import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { effectiveAcl } from './effective-acl.ts';

function aclOf(user: AttributeValues, others: Readonly<Record<string, AttributeValues>> = {}) {
  const directory = createDirectory(stockDefinitions);
  const put = (entityType: string, recordId: string, values: AttributeValues) =>
    directory.apply(aCreation(entityType, values, { recordId }));
  for (const [name, values] of Object.entries(others)) {
    put(name.startsWith('team') ? 'Team' : 'Role', name, values);
  }
  put('User', 'ann', { userName: 'ann', type: 'regular', ...user });
  const state = directory.record('User', 'ann');
  if (state === undefined) throw new Error('no user');
  return effectiveAcl(directory.actor(state), directory);
}

describe('effectiveAcl', () => {
  it('lets a user without roles read only their own user and teams', () => {
    const acl = aclOf({});
    expect(acl.table).toEqual({
      User: { create: 'no', read: 'own', edit: 'no', delete: 'no' },
      Team: { create: 'no', read: 'team', edit: 'no', delete: 'no' },
      Note: { create: 'yes', read: 'own', edit: 'own', delete: 'own' },
      Attachment: { create: 'yes', read: 'own', edit: 'own', delete: 'own' },
    });
    const permissions = Object.entries(acl).filter(([name]) => name.endsWith('Permission'));
    expect(permissions).toHaveLength(13);
    expect(new Set(permissions.map(([, value]) => value))).toEqual(new Set(['no']));
  });

  it('lists only granted scopes, with defaults for omitted rights', () => {
    const acl = aclOf(
      { rolesIds: ['r'] },
      {
        r: {
          data: {
            Account: { read: 'team', edit: 'own' },
            Contact: { create: 'no', read: 'all', edit: 'no', delete: 'no', stream: 'own' },
            Lead: false,
            Webhook: true,
            Role: { read: 'all' },
            Nonsense: { read: 'all' },
          },
        },
      },
    );
    expect(acl.table).toEqual({
      Account: { create: 'yes', read: 'team', edit: 'own', delete: 'no', stream: 'team' },
      Contact: { create: 'no', read: 'all', edit: 'no', delete: 'no', stream: 'own' },
      User: { create: 'no', read: 'own', edit: 'no', delete: 'no' },
      Team: { create: 'no', read: 'team', edit: 'no', delete: 'no' },
      Note: { create: 'yes', read: 'own', edit: 'own', delete: 'own' },
      Attachment: { create: 'yes', read: 'own', edit: 'own', delete: 'own' },
      Webhook: true,
    });
  });

  it('merges field access and permissions from all roles, including the roles of teams', () => {
    const data = { Account: { read: 'all' } };
    const acl = aclOf(
      { rolesIds: ['r'], teamsIds: ['team1'] },
      {
        team1: { rolesIds: ['s', 'unknown'] },
        r: {
          data,
          exportPermission: 'no',
          assignmentPermission: 'team',
          auditPermission: 'not-set',
          fieldData: {
            Account: {
              website: { read: 'yes', edit: 'no' },
              sicCode: { read: 'no', edit: 'no' },
            },
            Lead: { status: { read: 'no', edit: 'no' } },
          },
        },
        s: {
          data,
          exportPermission: 'yes',
          assignmentPermission: 'no',
          fieldData: { Account: { sicCode: { read: 'yes', edit: 'no' } } },
        },
      },
    );
    expect(acl).toMatchObject({
      exportPermission: 'yes',
      assignmentPermission: 'team',
      auditPermission: 'no',
      fieldTableQuickAccess: {},
    });
    expect(acl.fieldTable['Account']).toEqual({
      website: { read: 'yes', edit: 'no' },
      sicCode: { read: 'yes', edit: 'no' },
    });
    expect(JSON.stringify(acl.fieldTable)).not.toMatch(/apiKey|secretKey|passwordHash/);
  });

  it('opens names, addresses and the picture of users, unless a role closes them', () => {
    const role = { data: { User: { read: 'all', edit: 'own' } } };
    const fields = (more: object) =>
      aclOf({ rolesIds: ['r'] }, { r: { ...role, ...more } }).fieldTable['User'];
    expect(fields({})).not.toHaveProperty('avatar');
    expect(fields({})).toMatchObject({ avatarColor: { read: 'no', edit: 'no' } });
    const closed = { read: 'yes', edit: 'no' };
    expect(fields({ fieldData: { User: { avatar: closed } } })).toMatchObject({ avatar: closed });
  });

  it('grants administrators everything regardless of roles', () => {
    const acl = aclOf({ type: 'admin', rolesIds: ['r'] }, { r: { data: { Account: false } } });
    expect(acl.table['Account']).toEqual(acl.table['Role']);
    expect(acl.table['Account']).toMatchObject({ create: 'yes', delete: 'all' });
    expect(acl.table['Webhook']).toBe(true);
    expect(acl).toMatchObject({
      fieldTable: {},
      assignmentPermission: 'all',
      exportPermission: 'yes',
    });
  });
});
