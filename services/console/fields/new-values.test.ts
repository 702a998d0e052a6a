import { describe, expect, it } from 'vitest';
import type { Entity, Field } from '../api/metadata.ts';
import type { AppUser } from '../api/session.ts';
import { requiredValuesOf } from './new-values.ts';

const assignable = { assignedUser: { type: 'link' }, teams: { type: 'linkMultiple' } };

function entityWith(fields: Readonly<Record<string, Field>>): Entity {
  return { name: 'Account', fields } as unknown as Entity;
}

function sessionOf(
  assignmentPermission: string,
  {
    user = {},
    closed = [],
    levels = { read: 'all', edit: 'all' },
  }: {
    readonly user?: object;
    readonly closed?: readonly string[];
    readonly levels?: object;
  } = {},
): AppUser {
  const fieldTable = {
    Account: Object.fromEntries(closed.map((name) => [name, { read: 'yes', edit: 'no' }])),
  };
  const own = { id: 'me', name: 'Mia Klein', userName: 'mia', teamsIds: ['sales'], ...user };
  const acl = { assignmentPermission, fieldTable, table: { Account: levels } };
  return { user: own, acl } as unknown as AppUser;
}

const withTeam = { user: { defaultTeamId: 'sales', defaultTeamName: 'Sales' } };
const mine = { assignedUserId: 'me', assignedUserName: 'Mia Klein' };
const ofMyTeam = { teamsIds: ['sales'], teamsNames: { sales: 'Sales' } };

describe('the default values of a new record', () => {
  it.each([
    ['all', {}, {}],
    ['all', withTeam, ofMyTeam],
    ['team', {}, mine],
    ['team', withTeam, ofMyTeam],
    ['team', { ...withTeam, closed: ['teams'] }, mine],
    ['no', {}, mine],
    ['no', withTeam, { ...mine, ...ofMyTeam }],
    ['no', { closed: ['assignedUser'] }, {}],
  ])('contain the assignment at level %s: %j becomes %j', (level, options, expected) => {
    expect(requiredValuesOf(entityWith(assignable), sessionOf(level, options))).toEqual(expected);
  });

  it.each([
    [{ read: 'own', edit: 'own' }, {}, mine],
    [{ read: 'all', edit: 'own' }, withTeam, { ...mine, ...ofMyTeam }],
    [{ read: 'all', edit: 'team' }, {}, mine],
    [{ read: 'team', edit: 'team' }, withTeam, ofMyTeam],
    [{ read: 'all', edit: 'no' }, {}, {}],
  ])(
    'contain the assignment without which the user could not read or edit the record: %j, %j',
    (levels, options, expected) => {
      const session = sessionOf('all', { ...options, levels });
      expect(requiredValuesOf(entityWith(assignable), session)).toEqual(expected);
    },
  );

  it('contain the user if every record of the type needs an assigned user', () => {
    const meeting = entityWith({ assignedUser: { type: 'link', required: true } });
    expect(requiredValuesOf(meeting, sessionOf('all'))).toEqual(mine);
  });

  it('omit a default team that the user does not belong to', () => {
    const user = { defaultTeamId: 'support', defaultTeamName: 'Support' };
    expect(requiredValuesOf(entityWith(assignable), sessionOf('all', { user }))).toEqual({});
  });

  it('omit the assignment for a type without users and teams', () => {
    expect(requiredValuesOf(entityWith({}), sessionOf('no', withTeam))).toEqual({});
  });

  it('contain the first option only for required fields without a default', () => {
    const options = ['', 'Low', 'High'];
    const entity = entityWith({
      priority: { type: 'enum', required: true, options },
      industry: { type: 'enum', options },
      status: { type: 'enum', required: true, options, default: 'High' },
    });
    expect(requiredValuesOf(entity, sessionOf('all'))).toEqual({ priority: 'Low' });
  });
});
