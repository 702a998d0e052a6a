import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { requireAssignable } from './assignment.ts';
import { buildActor } from './build-actor.ts';
import { ownershipOf, requireRecordAccess } from './record-access.ts';

const directory = createDirectory(stockDefinitions);
const account = directory.entity('Account');
if (account === undefined) throw new Error('no Account');

function actor(values: AttributeValues) {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const user = { id: 'me', name: 'me', userName: 'me', type: 'api', teamIds: ['mine'] } as const;
  return buildActor(user, [role]);
}

const mine = { assignedUserId: 'me', createdById: 'other', teamsIds: [] };
const ofMyTeam = { assignedUserId: 'other', createdById: 'other', teamsIds: ['mine', 'theirs'] };
const foreign = { assignedUserId: 'other', createdById: 'me', teamsIds: ['theirs'] };

describe('a record', () => {
  it.each([
    ['all', [true, true, true]],
    ['team', [true, true, false]],
    ['own', [true, false, false]],
    ['no', [false, false, false]],
  ])('is within reach of level %s if it is mine, of my team, of others: %j', (level, expected) => {
    const who = actor({ data: { Account: { edit: level } } });
    const allowed = [mine, ofMyTeam, foreign].map((values) => {
      try {
        requireRecordAccess(who, 'edit', { model: account, id: 'a', values });
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed).toEqual(expected);
  });

  it('belongs to whom it is assigned, whoever created it', () => {
    expect(ownershipOf(account, 'a', foreign)).toEqual({
      ownerIds: ['other'],
      teamIds: ['theirs'],
      readerIds: [],
    });
  });
});

describe('assigning', () => {
  const teamsOf = (id: string) => (id === 'mate' ? ['mine'] : ['theirs']);
  const allows = (permission: string, values: AttributeValues, isCreation = false) => {
    const who = actor({ assignmentPermission: permission });
    try {
      requireAssignable(who, { model: account, values, isCreation }, teamsOf);
      return true;
    } catch {
      return false;
    }
  };

  it('to anybody needs the level all', () => {
    expect(allows('all', { assignedUserId: 'stranger', teamsIds: ['theirs'] })).toBe(true);
    expect(allows('team', { assignedUserId: 'stranger' })).toBe(false);
    expect(allows('team', { assignedUserId: 'mate', teamsIds: ['mine'] })).toBe(true);
    expect(allows('no', { assignedUserId: 'mate' })).toBe(false);
    expect(allows('no', { assignedUserId: 'me' })).toBe(true);
    expect(allows('no', { teamsIds: ['theirs'] })).toBe(false);
  });

  it('nobody is a matter of the level too', () => {
    expect(allows('no', {}, true)).toBe(true);
    expect(allows('team', {}, true)).toBe(false);
    expect(allows('team', {}, false)).toBe(true);
  });
});
