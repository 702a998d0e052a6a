import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { requireAddressees } from './require-addressees.ts';

const stateOf = (entityType: string, id: string, values: AttributeValues = {}): RecordState => ({
  entityType,
  id,
  version: 1,
  deleted: false,
  values,
});

const users: Readonly<Record<string, readonly string[]>> = {
  ann: ['sales', 'north'],
  bob: ['sales'],
  cid: [],
};

function actorOf(id: string, messagePermission: string) {
  const role = stateOf('Role', 'r', { messagePermission });
  const user = { id, name: id, userName: id, type: 'api', teamIds: users[id] ?? [] } as const;
  return buildActor(user, [role]);
}

const { directory } = commandContext({
  directory: {
    record(entityType: string, id: string) {
      if (entityType === 'User' && !(id in users)) return undefined;
      return { ...stateOf(entityType, id), deleted: id === 'gone' };
    },
    actor: ({ id }: RecordState) => actorOf(id, 'no'),
  },
});

const check = (level: string, values: AttributeValues) => () =>
  requireAddressees(actorOf('ann', level), values, directory);

const toAll = { targetType: 'all' };
const toSelf = { targetType: 'self' };
const toUsers = (...usersIds: string[]) => ({ targetType: 'users', usersIds });
const toTeams = (...teamsIds: string[]) => ({ targetType: 'teams', teamsIds });

it.each([
  ['no', toSelf],
  ['no', toUsers('ann')],
  ['team', toUsers('ann', 'bob')],
  ['team', toTeams('sales', 'north')],
  ['all', toUsers('bob', 'cid')],
  ['all', toTeams('south')],
  ['all', toAll],
])('lets an author with messagePermission %s address %o', (level, values) => {
  expect(check(level, values)).not.toThrow();
});

it.each([
  ['no', toUsers('ann', 'bob')],
  ['no', toTeams('sales')],
  ['no', toAll],
  ['team', toUsers('bob', 'cid')],
  ['team', toTeams('sales', 'south')],
  ['team', toAll],
])('rejects an author with messagePermission %s who addresses %o', (level, values) => {
  expect(check(level, values)).toThrow('messagePermission');
});

it.each([
  ['portals', { targetType: 'portals' }],
  ['a target type on a record', { ...toAll, parentType: 'Case', parentId: 'c' }],
  ['users without usersIds', toUsers()],
  ['teams without teamsIds', toTeams()],
  ['usersIds without a target type', { usersIds: ['bob'] }],
  ['usersIds on a record', { usersIds: ['bob'], parentType: 'Case', parentId: 'c' }],
  ['teamsIds with target type users', { ...toUsers('bob'), teamsIds: ['sales'] }],
  ['usersIds with target type all', { ...toAll, usersIds: ['bob'] }],
  ['an unknown user', toUsers('bob', 'unknown')],
  ['a deleted team', toTeams('gone')],
])('rejects %s as invalid with any permission', (_, values) => {
  expect(check('all', values)).toThrow(expect.objectContaining({ code: 'record.invalid' }));
});

it('ignores posts without addressees', () => {
  expect(check('no', { parentType: 'Case', parentId: 'c', usersIds: [] })).not.toThrow();
  expect(check('no', {})).not.toThrow();
});
