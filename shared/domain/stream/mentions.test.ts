import { expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { linkedBy, mayMention, mentionedIds } from './mentions.ts';

const change = (attribute: string, before: unknown, after: unknown) =>
  ({ attribute, before, after }) as Parameters<typeof linkedBy>[0];

it('returns each linked and unlinked id of an event once', () => {
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

it('excludes links to people and invalid ids', () => {
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

it('allows mentions only by events of business records', () => {
  const directory = createDirectory(stockDefinitions);
  const mentions = (name: string) => {
    const definition = directory.entity(name)?.definition;
    return definition !== undefined && mayMention(definition);
  };
  expect(['Contact', 'Case', 'Meeting'].map(mentions)).toEqual([true, true, true]);
  const others = ['User', 'Note', 'MassAction', 'StreamSubscription', 'StreamPins', 'Webhook'];
  expect(others.map(mentions)).toEqual(others.map(() => false));
});
