import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { type Actor, buildActor } from './actor.ts';
import { defaultAssignment } from './assignment.ts';

const model = createDirectory(stockDefinitions).entity('Account');
if (model === undefined) throw new Error('no Account');

function actor(type: Actor['type'], assignmentPermission: string, defaultTeamId?: string): Actor {
  const values = { assignmentPermission };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const own = defaultTeamId === undefined ? {} : { defaultTeamId };
  const user = { id: 'me', name: 'Me', userName: 'me', type, teamIds: ['mine', 'other'], ...own };
  return buildActor(user, [role]);
}

const mine = { assignedUserId: 'me', assignedUserName: 'Me' };
const assign = (who: Actor, values: AttributeValues, mayAssign = true) =>
  defaultAssignment(who, { model, values }, mayAssign);

describe('the assignment of a new record', () => {
  it("defaults to the creator and the creator's default team", () => {
    const who = actor('regular', 'no', 'mine');
    expect(assign(who, {})).toEqual({ ...mine, teamsIds: ['mine'] });
    expect(assign(who, { assignedUserId: 'me' })).toEqual({ teamsIds: ['mine'] });
    expect(assign(who, { teamsIds: ['other'] })).toEqual({ ...mine, teamsIds: ['other', 'mine'] });
    expect(assign(who, { teamsIds: ['mine'] })).toEqual(mine);
    expect(assign(actor('regular', 'no'), {})).toEqual(mine);
  });

  it('has the same default if the creator cannot edit the field', () => {
    expect(assign(actor('regular', 'all', 'mine'), {}, false)).toEqual({
      ...mine,
      teamsIds: ['mine'],
    });
  });

  it('stays empty for API users and for users with assignment permission', () => {
    expect(assign(actor('api', 'no', 'mine'), {})).toEqual({});
    expect(assign(actor('regular', 'all', 'mine'), {})).toEqual({});
  });
});
