import { expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { linkedBy, mayMention, mentionedIds } from './mentions.ts';

const change = (attribute: string, before: unknown, after: unknown) =>
  ({ attribute, before, after }) as Parameters<typeof linkedBy>[0];

it('finds what an event links and unlinks, each once', () => {
  const changes = [
    change('accountId', 'old', 'new'),
    change('accountsIds', ['old', 'kept'], ['kept', 'new', 'more']),
    change('accountName', 'Old', 'New'),
    change('paid', null, 'x'),
    change('parentId', null, 'self'),
  ];
  const event = { recordId: 'self', changes };
  expect(mentionedIds({ ...event, type: 'Updated' })).toEqual(['more', 'new', 'old']);
  expect(mentionedIds({ ...event, type: 'Deleted' })).toEqual([]);
  expect(linkedBy(change('accountId', null, 'new'))).toEqual({ added: ['new'], removed: [] });
});

it('leaves out people, and what is no id', () => {
  const changes = [
    change('assignedUserId', null, 'ann'),
    change('teamsIds', [], ['team']),
    change('createdById', null, 'ann'),
    change('xId', null, 7),
    change('yIds', null, ['with space', '']),
    change('zId', null, 'x'.repeat(101)),
  ];
  expect(mentionedIds({ type: 'Created', recordId: 'r', changes })).toEqual([]);
});

it('asks records that people work with', () => {
  const directory = createDirectory(stockDefinitions);
  const asks = (name: string) => {
    const definition = directory.entity(name)?.definition;
    return definition !== undefined && mayMention(definition);
  };
  expect(['Contact', 'Case', 'Meeting'].map(asks)).toEqual([true, true, true]);
  const others = ['User', 'Note', 'MassAction', 'StreamSubscription', 'StreamPins', 'Webhook'];
  expect(others.map(asks)).toEqual(others.map(() => false));
});
