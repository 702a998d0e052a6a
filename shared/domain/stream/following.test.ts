import { expect, it } from 'vitest';
import { type Actor, buildActor } from '../access/actor.ts';
import { createDirectory } from '../directory/directory.ts';
import { attendeesOf } from '../entity/model/attendees-of.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { type FollowingFacts, followerIds, toFollowing } from './following.ts';

const model = createDirectory(stockDefinitions).entity('Account') as EntityModel;

function anActor(id: string, fieldData: AttributeValues = {}): Actor {
  const values = { data: { Account: { read: 'all' } }, fieldData: { Account: fieldData } };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  return buildActor({ id, name: id, userName: id, type: 'api', teamIds: [] }, [role]);
}

const subscription = (
  userId: string,
  isFollowed: boolean | null,
  isStarred: boolean | null = null,
) => ({
  userId,
  isFollowed,
  isStarred,
});
const facts: FollowingFacts = {
  createdById: 'maker',
  assignedUserId: 'owner',
  attendeeIds: [],
  subscriptions: [
    subscription('fan', true),
    subscription('gone', false),
    subscription('admirer', null, true),
  ],
};

it('counts the creator, the assigned user and explicit followers', () => {
  expect(followerIds(facts)).toEqual(['maker', 'owner', 'fan']);
});

it('counts attendees unless they unfollowed or the field is closed', () => {
  const meeting = createDirectory(stockDefinitions).entity('Meeting') as EntityModel;
  const attended = { ...facts, attendeeIds: ['guest', 'gone'] };
  expect(attendeesOf(meeting)).toEqual({ field: 'users', ids: 'usersIds' });
  expect(attendeesOf(model)).toEqual({});
  expect(followerIds(attended)).toEqual(['maker', 'owner', 'guest', 'fan']);
  const closed = {
    data: { Meeting: { read: 'all' } },
    fieldData: { Meeting: { users: { read: 'no' } } },
  };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values: closed };
  const seenBy = (id: string) => {
    const actor = buildActor({ id, name: id, userName: id, type: 'api', teamIds: [] }, [role]);
    return toFollowing(attended, { actor, model: meeting }, () => 'x')['followersIds'];
  };
  expect([seenBy('fan'), seenBy('guest')]).toEqual([
    ['maker', 'owner', 'fan'],
    ['maker', 'owner', 'guest', 'fan'],
  ]);
});

it('does not count a creator or assigned user who unfollowed', () => {
  const subscriptions = [
    subscription('maker', false),
    subscription('owner', false),
    subscription('fan', true),
  ];
  expect(followerIds({ ...facts, subscriptions })).toEqual(['fan']);
  const starred = [subscription('maker', null, true)];
  expect(followerIds({ ...facts, subscriptions: starred })).toContain('maker');
});

it("returns the reader's state and the first six followers", () => {
  const many = Array.from({ length: 9 }, (_, index) => subscription(`u${index}`, true));
  const shown = toFollowing(
    { ...facts, subscriptions: [...facts.subscriptions, ...many] },
    { actor: anActor('admirer'), model },
    (id) => (id === 'fan' ? 'Fan' : undefined),
  );

  expect(shown).toEqual({
    isFollowed: false,
    isStarred: true,
    followersIds: ['maker', 'owner', 'fan', 'u0', 'u1', 'u2'],
    followersNames: { maker: null, owner: null, fan: 'Fan', u0: null, u1: null, u2: null },
  });
});

it('does not reveal the value of a closed field through followers', () => {
  const closed = { assignedUser: { read: 'no' } };
  const asOther = toFollowing(facts, { actor: anActor('fan', closed), model }, () => 'x');
  const asOwner = toFollowing(facts, { actor: anActor('owner', closed), model }, () => 'x');

  expect(asOther['followersIds']).toEqual(['maker', 'fan']);
  expect(asOwner['isFollowed']).toBe(true);
});
