import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../record/record-event.ts';
import type { AttributeValue } from '../value/attribute-values.ts';
import { relationChanges } from './relation-changes.ts';

const { entity } = createDirectory(stockDefinitions);

function changed(
  entityType: string,
  changes: Readonly<Record<string, readonly [AttributeValue, AttributeValue]>>,
): RecordEvent {
  return {
    ...aCreation(entityType, {}, { recordId: 'r' }),
    type: 'Updated',
    changes: Object.entries(changes).map(([attribute, [before, after]]) => ({
      attribute,
      before,
      after,
    })),
  };
}

function changesOf(event: RecordEvent) {
  const model = entity(event.entityType);
  if (model === undefined) throw new Error(`no entity type ${event.entityType}`);
  const found = relationChanges({ model, event }, event.changes, entity);
  return found.map(({ name, data }) => [name, data['foreignType'], data['relations']]);
}

describe('a changed link', () => {
  it('is reported for both sides by name if it refers to one record', () => {
    expect(changesOf(changed('Contact', { accountId: ['a1', 'a2'] }))).toEqual([
      ['Contact.relate.account', 'Account', [{ id: 'r', foreignId: 'a2' }]],
      ['Account.relate.contactsPrimary', 'Contact', [{ id: 'a2', foreignId: 'r' }]],
      ['Contact.unrelate.account', 'Account', [{ id: 'r', foreignId: 'a1' }]],
      ['Account.unrelate.contactsPrimary', 'Contact', [{ id: 'a1', foreignId: 'r' }]],
    ]);
  });

  it('is reported once with added and removed records if it refers to many', () => {
    const event = changed('Case', {
      contactsIds: [
        ['c1', 'c2'],
        ['c2', 'c3', 'c4'],
      ],
    });
    expect(changesOf(event)).toEqual([
      [
        'Case.relate.contacts',
        'Contact',
        [
          { id: 'r', foreignId: 'c3' },
          { id: 'r', foreignId: 'c4' },
        ],
      ],
      [
        'Contact.relate.cases',
        'Case',
        [
          { id: 'c3', foreignId: 'r' },
          { id: 'c4', foreignId: 'r' },
        ],
      ],
      ['Case.unrelate.contacts', 'Contact', [{ id: 'r', foreignId: 'c1' }]],
      ['Contact.unrelate.cases', 'Case', [{ id: 'c1', foreignId: 'r' }]],
    ]);
  });

  it('is reported with the previous and new parent type if it refers to a parent', () => {
    const event = changed('Task', { parentId: ['x', 'x'], parentType: ['Account', 'Lead'] });
    expect(changesOf(event)).toEqual([
      ['Task.relate.parent', 'Lead', [{ id: 'r', foreignId: 'x' }]],
      ['Lead.relate.tasks', 'Task', [{ id: 'x', foreignId: 'r' }]],
      ['Task.unrelate.parent', 'Account', [{ id: 'r', foreignId: 'x' }]],
      ['Account.unrelate.tasks', 'Task', [{ id: 'x', foreignId: 'r' }]],
    ]);
  });
});

describe('changes to links', () => {
  it('are not reported for other fields, reordering, deletions or creations without links', () => {
    expect(changesOf(aCreation('Contact', { lastName: 'Ray' }, { recordId: 'r' }))).toEqual([]);
    expect(changesOf(changed('Contact', { lastName: ['a', 'b'] }))).toEqual([]);
    expect(
      changesOf(
        changed('Case', {
          contactsIds: [
            ['c1', 'c2'],
            ['c2', 'c1'],
          ],
        }),
      ),
    ).toEqual([]);
    const deletion = {
      ...changed('Contact', { accountId: ['a1', null] }),
      type: 'Deleted' as const,
    };
    expect(changesOf(deletion)).toEqual([]);
  });

  it('are reported for the links of a created record', () => {
    const creation = aCreation('Contact', { accountId: 'a1' }, { recordId: 'r' });
    expect(changesOf(creation).map(([name]) => name)).toEqual([
      'Contact.relate.account',
      'Account.relate.contactsPrimary',
    ]);
  });
});
