import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { Refusal } from '../errors.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { buildActor } from './actor.ts';
import { requireAssignable } from './assignment.ts';
import { ownershipOf, requireRecordAccess } from './record-access.ts';

const directory = createDirectory(stockDefinitions);
const account = modelOf('Account');

function modelOf(entityType: string): EntityModel {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`no ${entityType}`);
  return model;
}

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
  ])("is accessible at level %s (mine, my team's, others'): %j", (level, expected) => {
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

  it('belongs to the assigned user, not to its creator', () => {
    expect(ownershipOf(account, 'a', foreign)).toEqual({
      ownerIds: ['other'],
      teamIds: ['theirs'],
      readerIds: [],
    });
  });
});

describe('assigning', () => {
  const teamsOf = (id: string) => (id === 'mate' ? ['mine'] : ['theirs']);
  const mayWrite = (
    permission: string,
    values: AttributeValues,
    { model = account, current }: { model?: EntityModel; current?: AttributeValues } = {},
  ) => {
    const who = actor({ assignmentPermission: permission });
    try {
      requireAssignable(who, { model, values, current }, teamsOf);
      return true;
    } catch {
      return false;
    }
  };
  const allows = (permission: string, values: AttributeValues, isCreation = false) =>
    mayWrite(permission, values, isCreation ? {} : { current: {} });

  it('requires level all for other users and teams', () => {
    expect(allows('all', { assignedUserId: 'stranger', teamsIds: ['theirs'] })).toBe(true);
    expect(allows('team', { assignedUserId: 'stranger' })).toBe(false);
    expect(allows('team', { assignedUserId: 'mate', teamsIds: ['mine'] })).toBe(true);
    expect(allows('no', { assignedUserId: 'mate' })).toBe(false);
    expect(allows('no', { assignedUserId: 'me' })).toBe(true);
    expect(allows('no', { teamsIds: ['theirs'] })).toBe(false);
  });

  it.each([
    ['Case', 'collaboratorsIds'],
    ['Task', 'collaboratorsIds'],
    ['Meeting', 'usersIds'],
    ['Call', 'usersIds'],
  ])('in a %s, treats the attribute %s like an assigned user', (entityType, attribute) => {
    const model = modelOf(entityType);
    const given = (ids: readonly string[]) => ({ assignedUserId: 'me', [attribute]: ids });
    for (const current of [undefined, {}]) {
      const write = (permission: string, ids: readonly string[]) =>
        mayWrite(permission, given(ids), { model, ...(current && { current }) });
      expect(write('no', ['me'])).toBe(true);
      expect(write('no', ['me', 'mate'])).toBe(false);
      expect(write('team', ['me', 'mate'])).toBe(true);
      expect(write('team', ['mate', 'stranger'])).toBe(false);
      expect(write('all', ['stranger'])).toBe(true);
    }
  });

  it('never rejects users and teams that the record already has', () => {
    const current = { assignedUserId: 'stranger', collaboratorsIds: ['stranger'], teamsIds: ['x'] };
    const model = modelOf('Case');
    expect(mayWrite('no', current, { model, current })).toBe(true);
    expect(mayWrite('no', { collaboratorsIds: [], teamsIds: [] }, { model, current })).toBe(true);
    const added = { collaboratorsIds: ['stranger', 'other'] };
    expect(mayWrite('no', added, { model, current })).toBe(false);
  });

  it.each([
    ['team', { assignedUserId: 'stranger', teamsIds: ['mine'] }, ['assignedUser']],
    ['team', { assignedUserId: 'mate', teamsIds: ['mine', 'theirs'] }, ['teams']],
    ['no', { assignedUserId: 'mate', teamsIds: ['theirs'] }, ['assignedUser', 'teams']],
    ['team', {}, ['assignedUser']],
  ])('reports the rejected fields at level %s: %j has %j', (permission, values, fields) => {
    const who = actor({ assignmentPermission: permission });
    const refusal = catchRefusal(() =>
      requireAssignable(who, { model: account, values, current: undefined }, teamsOf),
    );
    expect(refusal).toMatchObject({
      code: 'assignment.denied',
      message: 'Assignment failure: assigned user or team not allowed.',
      detail: { errors: fields.map((field) => ({ field, type: 'assignment' })) },
    });
    expect(refusal?.detail.statusReason).toBeUndefined();
  });

  it('requires a user for a new record at level team', () => {
    expect(allows('no', {}, true)).toBe(true);
    expect(allows('team', {}, true)).toBe(false);
    expect(allows('team', {}, false)).toBe(true);
  });
});

function catchRefusal(act: () => void): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error : undefined;
  }
}
