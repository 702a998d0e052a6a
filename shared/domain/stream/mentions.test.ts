import { expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { linkedBy, mentionedIds } from './mentions.ts';

const change = (attribute: string, before: unknown, after: unknown) =>
  ({ attribute, before, after }) as Parameters<typeof linkedBy>[0];

const { entity } = createDirectory(stockDefinitions);

function definitionOf(name: string) {
  const definition = entity(name)?.definition;
  if (definition === undefined) throw new Error(`${name} is not defined`);
  return definition;
}

it('returns each linked and unlinked id of an event once', () => {
  const changes = [
    change('accountId', 'old', 'new'),
    change('accountsIds', ['old', 'kept'], ['kept', 'new', 'more']),
    change('accountName', 'Old', 'New'),
    change('paid', null, 'x'),
    change('parentId', null, 'self'),
  ];
  const event = { recordId: 'self', changes };
  const contact = definitionOf('Contact');
  expect(mentionedIds({ ...event, type: 'Updated' }, contact)).toEqual(['more', 'new', 'old']);
  expect(mentionedIds({ ...event, type: 'Deleted' }, contact)).toEqual([]);
  expect(linkedBy(change('accountId', null, 'new'))).toEqual({ added: ['new'], removed: [] });
});

it('omits users, teams and values that are not ids', () => {
  const changes = [
    change('assignedUserId', null, 'ann'),
    change('teamsIds', [], ['team']),
    change('createdById', null, 'ann'),
    change('xId', null, 7),
    change('yIds', null, ['with space', '']),
    change('zId', null, 'x'.repeat(101)),
  ];
  const event = { type: 'Created', recordId: 'r', changes } as const;
  expect(mentionedIds(event, definitionOf('Case'))).toEqual([]);
});

it('returns only the files of posts and users', () => {
  const changes = [
    change('parentId', null, 'parent'),
    change('attachmentsIds', ['before'], ['after']),
    change('avatarId', 'old', 'new'),
    change('usersIds', [], ['ann']),
    change('rolesIds', [], ['role']),
  ];
  const mentionedBy = (name: string) =>
    mentionedIds({ type: 'Updated', recordId: 'r', changes }, definitionOf(name));
  expect(mentionedBy('Note')).toEqual(['after', 'before']);
  expect(mentionedBy('User')).toEqual(['new', 'old']);
  for (const name of ['Team', 'MassAction', 'StreamSubscription', 'StreamPins', 'Webhook']) {
    expect(mentionedBy(name), name).toEqual([]);
  }
});

it('returns the users whom a post mentions for the first time', () => {
  const data = (...ids: readonly string[]) => ({
    mentions: Object.fromEntries(ids.map((id) => [`@${id}`, { id }])),
  });
  const event = { type: 'Updated', recordId: 'r' } as const;
  const changes = [change('data', data('ann', 'bob'), data('bob', 'cid'))];
  expect(mentionedIds({ ...event, changes }, definitionOf('Note'))).toEqual(['cid']);
  expect(mentionedIds({ ...event, changes }, definitionOf('Account'))).toEqual([]);
  const odd = [change('data', null, { mentions: { '@x': null, '@y': { id: 7 } } })];
  expect(mentionedIds({ ...event, changes: odd }, definitionOf('Note'))).toEqual([]);
});
