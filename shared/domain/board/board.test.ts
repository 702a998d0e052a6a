import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory, entityDefinitionType } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { evolve } from '../record/evolve.ts';
import { boardOf, requireBoard, requireGroup } from './board.ts';
import { boardOrderType, orderAttribute, placedIds, placeFirst } from './board-order.ts';

const directory = createDirectory(stockDefinitions);
const groupsOf = (name: string) => {
  const model = directory.entity(name);
  return model && boardOf(model)?.groups;
};

describe('the board of an entity type', () => {
  it('has a group for each option of its status or stage, except options that EspoCRM also omits', () => {
    expect(groupsOf('Opportunity')).toEqual([
      'Prospecting',
      'Qualification',
      'Proposal',
      'Negotiation',
      'Closed Won',
    ]);
    expect(groupsOf('Task')).toEqual(['Not Started', 'Started', 'Completed']);
    expect(groupsOf('Case')).toContain('Rejected');
  });

  it('does not exist for a type without a status, or whose status has no options', () => {
    expect(groupsOf('Account')).toBeUndefined();
    expect(groupsOf('User')).toBeUndefined();
    const custom = createDirectory(stockDefinitions);
    custom.apply(
      aCreation(
        entityDefinitionType,
        { isCustom: true, fields: { status: { type: 'varchar' } } },
        { recordId: 'Project' },
      ),
    );
    const model = custom.entity('Project');
    if (model === undefined) throw new Error('no Project');
    expect(boardOf(model)).toBeUndefined();
    expect(() => requireBoard(model)).toThrow("'Project' has no board");
  });

  it('rejects a group that it does not have', () => {
    const model = directory.entity('Lead');
    if (model === undefined) throw new Error('no Lead');
    expect(() => requireGroup(requireBoard(model), 'New')).not.toThrow();
    expect(() => requireGroup(requireBoard(model), 'toString')).toThrow(
      "The board has no group 'toString'.",
    );
  });
});

describe('the order of a group', () => {
  it('starts with the moved cards, and contains at most 50', () => {
    expect(placeFirst(['b', 'c', 'b'], ['a', 'b'])).toBe('b c a');
    const many = Array.from({ length: 60 }, (_, index) => `id${index}`);
    expect(placeFirst(many, ['a']).split(' ')).toEqual(many.slice(0, 50));
    expect(placeFirst(['a'], many).split(' ')).toHaveLength(50);
  });

  it('is empty until the user moves a card', () => {
    const attribute = orderAttribute('Lead', 'In Process');
    expect(placedIds(undefined, attribute)).toEqual([]);
    const state = evolve(
      undefined,
      aCreation(boardOrderType, { [attribute]: 'a b' }, { recordId: 'u1' }),
    );
    expect(placedIds(state, attribute)).toEqual(['a', 'b']);
    expect(placedIds(state, orderAttribute('Lead', 'New'))).toEqual([]);
  });

  it('does not change the revision of the directory', () => {
    const before = directory.revision();
    directory.apply(aCreation(boardOrderType, { 'Lead.New': 'a' }, { recordId: 'u1' }));
    expect(directory.revision()).toBe(before);
    expect(directory.record(boardOrderType, 'u1')?.values['Lead.New']).toBe('a');
  });
});
