import { expect, it } from 'vitest';
import { buildActor } from '../../domain/access/actor.ts';
import { createDirectory } from '../../domain/directory/directory.ts';
import { stockDefinitions } from '../../domain/entity/stock/stock-definitions.ts';
import { compileConditions, type ListFilter, liveRows, noFilter } from '../list-filter.ts';
import { viewFor } from '../record-view.ts';
import { createBinder } from './binder.ts';
import { readWhereItems } from './where-item.ts';

const { entity: findModel } = createDirectory(stockDefinitions);
const actor = buildActor({ id: 'a', name: 'a', userName: 'a', type: 'admin', teamIds: [] }, []);

function compile(filter: Partial<ListFilter>): string {
  const model = findModel('Contact');
  if (model === undefined) throw new Error('no Contact');
  const view = viewFor(actor, model, findModel);
  const filtered = {
    actor,
    model,
    view,
    findModel,
    binder: createBinder(),
    wordIndexes: undefined,
  };
  return liveRows({ model, view, filter: compileConditions({ ...noFilter, ...filter }, filtered) });
}

const where = (type: string, attribute: string | undefined, value: string) => ({
  where: readWhereItems([{ type, attribute, value }]),
});

it.each([
  ['like', where('like', 'description', '%a_'.repeat(5))],
  ['notLike on an address', where('notLike', 'emailAddress', '%a'.repeat(10))],
  ['columnLike', where('columnLike', 'accountRole', '%a'.repeat(10))],
  ['a text filter', { text: '*abc'.repeat(10) }],
  ['the condition textFilter', where('textFilter', undefined, '*abc'.repeat(10))],
  ['characters that are not wildcards there', where('contains', 'description', '%_*'.repeat(20))],
  ['500 characters', where('startsWith', 'description', 'a'.repeat(500))],
])('accepts the maximum number of wildcards or characters for %s', (_what, filter) => {
  expect(compile(filter)).toContain('like');
});

const wildcards = 'at most 10 wildcards (% and _), not 11. Remove some';

it.each([
  ['like', where('like', 'description', '%_'.repeat(5).concat('%')), wildcards],
  ['notLike on an address', where('notLike', 'emailAddress', '%a'.repeat(11)), wildcards],
  ['like of a linked record', where('like', 'account.name', '%a'.repeat(11)), wildcards],
  ['like of a linked name', where('like', 'accountName', '%a'.repeat(11)), wildcards],
  ['columnNotLike', where('columnNotLike', 'accountRole', '%a'.repeat(11)), wildcards],
  ['a text filter', { text: '*a'.repeat(11) }, 'at most 10 wildcards (*), not 11'],
  [
    'the condition textFilter',
    where('textFilter', undefined, '*a'.repeat(11)),
    'at most 10 wildcards (*), not 11',
  ],
  [
    'contains',
    where('contains', 'description', 'a'.repeat(501)),
    'at most 500 characters, not 501. Search for a part of it',
  ],
  [
    'like, by length',
    where('like', 'description', 'a'.repeat(501)),
    'at most 500 characters, not 501. Search for a part of it',
  ],
])(
  'rejects more than the maximum for %s with the limit in the message',
  (_what, filter, sentence) => {
    expect(() => compile(filter)).toThrow(sentence);
  },
);

it('compiles each named filter once, even if it is repeated', () => {
  const once = compile({ bools: ['onlyMy'] });
  expect(compile({ bools: Array.from({ length: 1_000 }, () => 'onlyMy') })).toBe(once);
});
