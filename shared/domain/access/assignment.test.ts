import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import type { Actor } from './actor.ts';
import { defaultAssignment } from './assignment.ts';
import { buildActor } from './build-actor.ts';

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
const given = (who: Actor, values: AttributeValues, mayAssign = true) =>
  defaultAssignment(who, { model, values }, mayAssign);

describe('a new record of who may not give records to others', () => {
  it('is theirs and that of their default team', () => {
    const who = actor('regular', 'no', 'mine');
    expect(given(who, {})).toEqual({ ...mine, teamsIds: ['mine'] });
    expect(given(who, { assignedUserId: 'me' })).toEqual({ teamsIds: ['mine'] });
    expect(given(who, { teamsIds: ['other'] })).toEqual({ ...mine, teamsIds: ['other', 'mine'] });
    expect(given(who, { teamsIds: ['mine'] })).toEqual(mine);
    expect(given(actor('regular', 'no'), {})).toEqual(mine);
  });

  it('is so as well where the field is closed to them', () => {
    expect(given(actor('regular', 'all', 'mine'), {}, false)).toEqual({
      ...mine,
      teamsIds: ['mine'],
    });
  });

  it('is left as it is for API users, and for who may choose', () => {
    expect(given(actor('api', 'no', 'mine'), {})).toEqual({});
    expect(given(actor('regular', 'all', 'mine'), {})).toEqual({});
  });
});
