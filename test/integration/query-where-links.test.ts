import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildActor } from '../../shared/domain/access/build-actor.ts';
import type { AttributeValues } from '../../shared/domain/record/attribute-values.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

/** Whom `x-actor` may name, with a role of these rights. */
function admit(id: string, data: AttributeValues, fieldData: AttributeValues = {}): void {
  const values = { data, fieldData };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const user = { id, name: id, userName: id, type: 'api', teamIds: [] } as const;
  example.admit(buildActor(user, [role]));
}

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const id of ['a1', 'a2', 'a3']) await example.store('Account', { id, name: id });
  const contacts: readonly (readonly [string, readonly string[], string])[] = [
    ['c1', ['a1', 'a2'], 'own'],
    ['c2', ['a1'], 'somebody'],
  ];
  for (const [id, accountsIds, assignedUserId] of contacts) {
    await example.store('Contact', { id, name: id, accountsIds, assignedUserId });
  }
  await example.store('Contact', { id: 'c3', accountsIds: ['a3'], deleted: true });
  await example.store('Case', { id: 'case', name: 'case', accountId: 'a2' });
  await example.store('Task', { id: 'task', name: 'task', parentType: 'Account', parentId: 'a3' });
  await example.store('Task', { id: 'other', name: 'other', parentType: 'Lead', parentId: 'a2' });
  admit('own', { Account: all, Contact: { ...all, read: 'own' } });
  admit('none', { Account: all });
  admit('closed', { Account: all, Contact: all }, { Contact: { accounts: { read: 'no' } } });
});
afterAll(async () => example.close());

type Item = readonly [type: string, link: string, value?: unknown];

async function search([type, attribute, value]: Item, actor = 'admin') {
  const query = encodeURIComponent(JSON.stringify({ where: [{ type, attribute, value }] }));
  return example.get(`/Account?searchParams=${query}`, { 'x-actor': actor });
}

async function found(item: Item, actor?: string): Promise<string> {
  const { body, text } = await search(item, actor);
  expect(body.list, text).toBeInstanceOf(Array);
  return body.list
    .map(({ id }: { readonly id: string }) => id)
    .toSorted()
    .join(' ');
}

describe('a condition on a link that the other side holds', () => {
  it.each<readonly [Item, string]>([
    [['linkedWith', 'contacts', 'c1'], 'a1 a2'],
    [['linkedWith', 'contacts', ['c2', 'nobody']], 'a1'],
    [['linkedWith', 'contacts', ['c3']], ''],
    [['linkedWith', 'contacts', []], ''],
    [['notLinkedWith', 'contacts', 'c1'], 'a3'],
    [['linkedWithAll', 'contacts', ['c1', 'c2', 'c1']], 'a1'],
    [['linkedWithAll', 'contacts', []], 'a1 a2 a3'],
    [['isLinked', 'contacts'], 'a1 a2'],
    [['isNotLinked', 'contacts'], 'a3'],
    [['linkedWith', 'cases', 'case'], 'a2'],
    [['isNotLinked', 'cases'], 'a1 a3'],
    [['isLinked', 'tasks'], 'a3'],
    [['linkedWith', 'tasks', ['task', 'other']], 'a3'],
  ])('%j finds %s', async (item, ids) => {
    expect(await found(item)).toBe(ids);
  });

  it('counts as not linked what the actor may not read there', async () => {
    expect(await found(['linkedWith', 'contacts', ['c1', 'c2']], 'own')).toBe('a1 a2');
    expect(await found(['linkedWith', 'contacts', ['c2']], 'own')).toBe('');
    expect(await found(['linkedWithAll', 'contacts', ['c1', 'c2']], 'own')).toBe('');
    expect(await found(['notLinkedWith', 'contacts', 'c2'], 'own')).toBe('a1 a2 a3');
  });

  it('is refused where the other side, or its field, is closed', async () => {
    expect(await search(['isLinked', 'contacts'], 'none')).toMatchObject({ status: 403 });
    const closed = await search(['isLinked', 'contacts'], 'closed');
    expect([closed.status, closed.reason]).toEqual([400, "Not existing link 'contacts' in where."]);
  });
});
