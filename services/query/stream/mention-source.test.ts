import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { aCreation, anUpdateAfter } from '../../../test/support/builders/record-event-builder.ts';
import { type MentionContext, toMentionItem } from './mention-source.ts';

const directory = createDirectory(stockDefinitions);
const modelOf = (name: string) => directory.entity(name) as EntityModel;
const account = { model: modelOf('Account'), id: 'acc', name: 'Acme' };

function contextOf(entityType: string, id: string, hidden: readonly string[] = []): MentionContext {
  const model = modelOf(entityType);
  return {
    model,
    shown: (name) => {
      const attribute = model.attribute.get(name);
      return attribute !== undefined && hidden.includes(attribute.field) ? undefined : attribute;
    },
    madeBy: ({ actorId }) => actorId,
    userName: (user) => `Name of ${user}`,
    isRelated: () => true,
    names: new Map([[id, 'Shown']]),
    findModel: directory.entity,
  };
}

describe('the item for an event that links another record', () => {
  const made = aCreation('Case', { name: 'Broken', accountId: 'acc' });
  const context = contextOf('Case', made.recordId);

  it('shows that the other record was created with the link', () => {
    expect(toMentionItem(made, account, context)).toMatchObject([
      {
        id: `${made.recordId}.1.acc`,
        type: 'CreateRelated',
        data: { link: 'cases', relatedIds: [made.recordId] },
        createdByName: 'Name of admin',
        parentType: 'Account',
        parentId: 'acc',
        parentName: 'Acme',
        relatedType: 'Case',
        relatedId: made.recordId,
        relatedName: 'Shown',
      },
    ]);
  });

  it('shows that the other record was unlinked or linked', () => {
    const changes = [{ attribute: 'accountId', before: 'acc', after: 'other' }];
    const left = anUpdateAfter(made, {}, { changes });
    expect(toMentionItem(left, account, context)).toMatchObject([{ type: 'Unrelate' }]);
    const other = { ...account, id: 'other' };
    expect(toMentionItem(left, other, context)).toMatchObject([{ type: 'Relate' }]);
    expect(toMentionItem(left, { ...account, id: 'third' }, context)).toEqual([]);
  });

  it('is unique if the event links the record in two ways', () => {
    const contact = aCreation('Contact', { accountId: 'acc', accountsIds: ['acc'] });
    const items = toMentionItem(contact, account, contextOf('Contact', contact.recordId));
    expect(items).toMatchObject([{ type: 'CreateRelated', relatedType: 'Contact' }]);
  });

  it('does not exist if the reader may not see the field or the other record', () => {
    expect(toMentionItem(made, account, contextOf('Case', made.recordId, ['account']))).toEqual([]);
    expect(toMentionItem(made, account, contextOf('Case', 'another'))).toEqual([]);
  });

  it('exists only for records of the parent type', () => {
    const parent = { parentId: 'acc', parentType: 'Account' };
    const task = aCreation('Task', { name: 'Call', ...parent });
    const about = contextOf('Task', task.recordId);
    expect(toMentionItem(task, account, about)).toMatchObject([{ data: { link: 'tasks' } }]);
    const contact = { model: modelOf('Contact'), id: 'acc', name: null };
    expect(toMentionItem(task, contact, about)).toEqual([]);
  });
});
