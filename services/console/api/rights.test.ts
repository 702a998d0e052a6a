import { describe, expect, it } from 'vitest';
import type { Field } from './metadata.ts';
import { ownersOf } from './metadata.ts';
import { recordRight } from './rights.ts';
import type { AppUser } from './session.ts';

const assigned: Readonly<Record<string, Field>> = {
  assignedUser: { type: 'link' },
  teams: { type: 'linkMultiple' },
};

function right(
  level: string | undefined,
  record: object,
  { name = 'Account', fields = assigned, action = 'edit' as 'edit' | 'stream' } = {},
) {
  const user = { id: 'me', teamsIds: ['mine'] };
  const table = level === undefined ? {} : { [name]: { [action]: level } };
  const session = { user, acl: { table } } as unknown as AppUser;
  const entity = { name, ...ownersOf(name, fields) };
  return recordRight(session, { entity, record: { id: 'a', ...record }, action });
}

const mine = { assignedUserId: 'me', createdById: 'other', teamsIds: [] };
const ofMyTeam = { assignedUserId: 'other', createdById: 'other', teamsIds: ['mine', 'theirs'] };
const foreign = { assignedUserId: 'other', createdById: 'me', teamsIds: ['theirs'] };

describe('the right to change a record', () => {
  it.each([
    ['all', [true, true, true]],
    ['team', [true, true, false]],
    ['own', [true, false, false]],
    ['no', [false, false, false]],
    [undefined, [false, false, false]],
  ])("is granted at level %s for my, my team's and other records: %j", (level, expected) => {
    const granted = [mine, ofMyTeam, foreign].map((record) => right(level, record).isGranted);
    expect(granted).toEqual(expected);
  });

  it('depends on the creator if the type has no assigned user', () => {
    expect(right('own', foreign, { fields: {} }).isGranted).toBe(true);
    expect(right('own', mine, { fields: {} }).isGranted).toBe(false);
  });

  it('is granted to each of several assigned users', () => {
    const fields = { assignedUsers: { type: 'linkMultiple' } };
    expect(right('own', { assignedUsersIds: ['other', 'me'] }, { fields }).isGranted).toBe(true);
    expect(right('own', { assignedUsersIds: ['other'] }, { fields }).isGranted).toBe(false);
  });

  it("is granted for one's own user and team", () => {
    expect(right('own', { id: 'me' }, { name: 'User' }).isGranted).toBe(true);
    expect(right('own', { id: 'other' }, { name: 'User' }).isGranted).toBe(false);
    expect(right('team', { id: 'mine', createdById: null }, { name: 'Team', fields: {} })).toEqual({
      level: 'team',
      isGranted: true,
    });
  });

  it('is left to the server if the assigned user is unreadable', () => {
    expect(right('own', { createdById: 'other' }).isGranted).toBe(true);
  });

  it('is left to the server at level team if the teams are unreadable', () => {
    const ofOther = { assignedUserId: 'other' };
    expect(right('team', ofOther).isGranted).toBe(true);
    expect(right('own', ofOther).isGranted).toBe(false);
    const withoutTeams = { fields: { assignedUser: { type: 'link' } } };
    expect(right('team', ofOther, withoutTeams).isGranted).toBe(false);
  });

  it('includes collaborators only for the stream', () => {
    const shared = { ...foreign, collaboratorsIds: ['me'] };
    expect(right('own', shared, { action: 'stream' }).isGranted).toBe(true);
    expect(right('own', shared).isGranted).toBe(false);
  });

  it('is denied for a record without an assigned user', () => {
    expect(right('own', { assignedUserId: null }).isGranted).toBe(false);
  });
});
