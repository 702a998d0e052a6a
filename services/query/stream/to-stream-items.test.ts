import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../../../test/support/builders/record-event-builder.ts';
import { type ItemContext, toStreamItems } from './to-stream-items.ts';

const directory = createDirectory(stockDefinitions);

function contextOf(entityType: string, hidden: readonly string[] = []): ItemContext {
  const model = directory.entity(entityType) as EntityModel;
  return {
    model,
    shown: (name) => {
      const attribute = model.attribute.get(name);
      return attribute !== undefined && hidden.includes(attribute.field) ? undefined : attribute;
    },
    madeBy: ({ actorId }) => actorId,
    userName: (id) => `Name of ${id}`,
    isRelated: (type) => directory.entity(type)?.definition.log === 'records',
    recordName: 'Shown',
  };
}

const created = aCreation('Case', { name: 'Broken', status: 'New', teamsIds: ['t'] });

describe('toStreamItems', () => {
  it('returns one item for a creation with its status and assignment', () => {
    const assigned = aCreation('Case', {
      name: 'Broken',
      status: 'New',
      assignedUserId: 'u',
      assignedUserName: 'Ann',
    });
    expect(toStreamItems(assigned, contextOf('Case'))).toMatchObject([
      {
        id: `${assigned.recordId}.1`,
        type: 'Create',
        data: {
          assignedUserId: 'u',
          assignedUserName: 'Ann',
          statusField: 'status',
          statusValue: 'New',
        },
        createdAt: '2030-01-02 03:04:05',
        createdById: 'admin',
        createdByName: 'Name of admin',
        parentType: 'Case',
        parentId: assigned.recordId,
        parentName: 'Shown',
      },
    ]);
  });

  it('returns one item of each kind for a change, with increasing numbers', () => {
    const change = anUpdateAfter(
      created,
      {},
      {
        changes: [
          { attribute: 'status', before: 'New', after: 'Closed' },
          { attribute: 'priority', before: 'Low', after: 'Low' },
          { attribute: 'assignedUserId', before: null, after: 'u' },
          { attribute: 'assignedUserName', before: null, after: 'Ann' },
          { attribute: 'contactsIds', before: ['a', 'b'], after: ['b', 'c'] },
          { attribute: 'contactsNames', before: { a: 'A', b: 'B' }, after: { b: 'B', c: 'C' } },
          { attribute: 'teamsIds', before: [], after: ['t'] },
        ],
      },
    );
    const items = toStreamItems(change, contextOf('Case'));

    expect(items.map(({ type }) => type)).toEqual(['Relate', 'Unrelate', 'Assign', 'Update']);
    expect(items.map(({ id }) => id.split('.').slice(1).join('.'))).toEqual([
      '2.3',
      '2.2',
      '2.1',
      '2',
    ]);
    const numbers = items.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => right - left));
    expect(items[0]).toMatchObject({
      relatedType: 'Contact',
      relatedId: 'c',
      relatedName: 'C',
      data: { link: 'contacts', relatedIds: ['c'], relatedNames: { c: 'C' } },
    });
    expect(items[1]).toMatchObject({ relatedId: 'a', relatedName: 'A' });
    expect(items[2]?.data).toEqual({ assignedUserId: 'u', assignedUserName: 'Ann' });
    expect(items[3]?.data).toEqual({
      fields: ['status', 'teams'],
      attributes: {
        was: { status: 'New', teamsIds: [] },
        became: { status: 'Closed', teamsIds: ['t'] },
      },
    });
  });

  it('omits values that the reader may not see and items without visible values', () => {
    const change = anUpdateAfter(
      created,
      {},
      {
        changes: [
          { attribute: 'description', before: null, after: 'secret words' },
          { attribute: 'status', before: 'New', after: 'Closed' },
          { attribute: 'contactsIds', before: [], after: ['hidden'] },
          { attribute: 'assignedUserId', before: null, after: 'somebody' },
        ],
      },
    );
    const hidden = ['description', 'contacts', 'assignedUser'];
    const [only, ...others] = toStreamItems(change, contextOf('Case', hidden));

    expect(others).toEqual([]);
    expect(only?.data).toEqual({
      fields: ['status'],
      attributes: { was: { status: 'New' }, became: { status: 'Closed' } },
    });
    expect(toStreamItems(change, contextOf('Case', [...hidden, 'status']))).toEqual([]);
  });

  it('omits fields that repeat the value of another changed field', () => {
    const change = anUpdateAfter(aCreation('Opportunity', {}), {
      stage: 'Proposal',
      lastStage: 'Proposal',
      probability: 50,
    });
    expect(toStreamItems(change, contextOf('Opportunity'))).toMatchObject([
      { data: { fields: ['stage', 'probability'] } },
    ]);
  });

  it('names several related records only in the data of the item', () => {
    const change = anUpdateAfter(created, { contactsIds: ['a', 'b'] });
    expect(toStreamItems(change, contextOf('Case'))).toMatchObject([
      { type: 'Relate', relatedId: null, relatedName: null, data: { relatedIds: ['a', 'b'] } },
    ]);
  });

  it('truncates long texts and returns no items for a deletion', () => {
    const change = anUpdateAfter(created, { description: 'x'.repeat(20_000) });
    const [item] = toStreamItems(change, contextOf('Case'));

    expect(JSON.stringify(item?.data)).toHaveLength(
      10_000 + JSON.stringify(item?.data).replaceAll('x', '').length,
    );
    expect(toStreamItems(aDeletionAfter(created), contextOf('Case'))).toEqual([]);
  });
});
