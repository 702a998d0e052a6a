import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import type { AttributeValue } from '../../shared/domain/value/attribute-values.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../support/builders/record-event-builder.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeHistory } from './query-history-example.ts';

let example: QueryExample;
const get: QueryExample['get'] = async (...question) => example.get(...question);
const store = async (events: readonly RecordEvent[]) => storeHistory(example, events);
const levels = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  example.addActorWithRole('own', { Account: levels, Case: { ...levels, read: 'own' } });
  example.addActorWithRole('none', { Account: levels });
  const closed = { Case: { account: { read: 'no' } } };
  example.addActorWithRole('closed', { Account: levels, Case: levels }, closed);
});
afterAll(async () => example.close());

/** Returns the path of a link as of a number of seconds after the first event of the builders. */
const at = (path: string, seconds: number): string =>
  `${path}?asOf=${encodeURIComponent(new Date(Date.UTC(2030, 0, 2, 3, 4, 5 + seconds)).toISOString())}`;

async function namesAt(path: string, seconds: number, headers = {}): Promise<readonly unknown[]> {
  const { status, body } = await get(at(path, seconds), headers);
  expect(status, path).toBe(200);
  expect(body.total).toBe(body.list.length);
  return body.list.map(({ name }: { readonly name: unknown }) => name);
}

const change = (
  attribute: string,
  before: AttributeValue,
  after: AttributeValue,
): Pick<RecordEvent, 'changes'> => ({ changes: [{ attribute, before, after }] });

const anAccount = async () => store([aCreation('Account', { name: 'Holder' })]);

describe('a list of linked records as of a time', () => {
  it('contains the records that were linked then, in their state of that time, by name', async () => {
    const account = await anAccount();
    const created = aCreation('Case', { name: 'Zeta, old', accountId: account });
    const renamed = anUpdateAfter(created, {}, change('name', 'Zeta, old', 'Zeta'));
    const unlinked = anUpdateAfter(renamed, {}, change('accountId', account, null));
    await store([created, renamed, unlinked]);
    const loose = aCreation('Case', { name: 'Alpha' });
    await store([loose, anUpdateAfter(loose, {}, change('accountId', null, account))]);
    const path = `/Account/${account}/cases`;

    expect(await namesAt(path, 0)).toEqual(['Zeta, old']);
    expect(await namesAt(path, 1)).toEqual(['Alpha', 'Zeta']);
    expect(await namesAt(path, 2)).toEqual(['Alpha']);
    expect(await namesAt(path, 9_999_999)).toEqual(['Alpha']);
    const { body } = await get(`${at(path, 1)}&offset=1&maxSize=1`);
    expect(body).toMatchObject({ total: 2, list: [{ name: 'Zeta', accountId: account }] });
    const single = await get(at(`/Case/${created.recordId}`, 1));
    expect(body.list[0]).toEqual(single.body);
  });

  it('works for links that the record itself stores', async () => {
    const first = await store([aCreation('Account', { name: 'First' })]);
    const second = await store([aCreation('Account', { name: 'Second' })]);
    const created = aCreation('Contact', { name: 'Ann', accountsIds: [first] });
    const moved = anUpdateAfter(created, {}, change('accountsIds', [first], [second]));
    const id = await store([created, moved]);

    expect(await namesAt(`/Contact/${id}/accounts`, 0)).toEqual(['First']);
    expect(await namesAt(`/Contact/${id}/accounts`, 1)).toEqual(['Second']);
    expect(await namesAt(`/Account/${first}/contacts`, 0)).toEqual(['Ann']);
    expect(await namesAt(`/Account/${first}/contacts`, 1)).toEqual([]);
  });

  it('contains children only of a parent of this type', async () => {
    const account = await anAccount();
    const ofType = (parentType: string) =>
      aCreation('Task', { name: parentType, parentId: account, parentType });
    await store([ofType('Account')]);
    await store([ofType('Lead')]);
    expect(await namesAt(`/Account/${account}/tasks`, 0)).toEqual(['Account']);
  });

  it('contains only records that the user may read now', async () => {
    const account = await anAccount();
    const created = aCreation('Case', { name: 'Lost', accountId: account, assignedUserId: 'own' });
    const reassigned = anUpdateAfter(created, {}, change('assignedUserId', 'own', 'other'));
    await store([created, reassigned]);
    const gained = { name: 'Gained', accountId: account, assignedUserId: 'other' };
    const other = aCreation('Case', gained);
    await store([other, anUpdateAfter(other, {}, change('assignedUserId', 'other', 'own'))]);
    const path = `/Account/${account}/cases`;

    expect(await namesAt(path, 0)).toEqual(['Gained', 'Lost']);
    expect(await namesAt(path, 0, { 'x-actor': 'own' })).toEqual(['Gained']);
    expect((await get(at(path, 0), { 'x-actor': 'none' })).status).toBe(403);
    expect((await get(at(path, 0), { 'x-actor': 'closed' })).status).toBe(403);
    expect((await get(at(path, 0), { 'x-actor': 'narrow' })).status).toBe(403);
  });

  it('contains records that are deleted now only for administrators', async () => {
    const account = await anAccount();
    const created = aCreation('Case', { name: 'Gone', accountId: account });
    await store([created, aDeletionAfter(created)]);
    const path = `/Account/${account}/cases`;

    expect(await namesAt(path, 0)).toEqual(['Gone']);
    expect(await namesAt(path, 1)).toEqual([]);
    expect(await namesAt(path, 0, { 'x-actor': 'api' })).toEqual([]);
  });

  it('never skips a version, even if the clocks of writers differ', async () => {
    const account = await anAccount();
    const created = aCreation('Case', { name: 'Ahead' });
    const ahead = { occurredAt: created.occurredAt + 9_000 };
    const linked = anUpdateAfter(created, {}, { ...change('accountId', null, account), ...ahead });
    const behind = { occurredAt: created.occurredAt + 1_000 };
    const unlinked = anUpdateAfter(
      linked,
      {},
      { ...change('accountId', account, null), ...behind },
    );
    const relinked = anUpdateAfter(
      unlinked,
      {},
      { ...change('accountId', null, account), ...behind },
    );
    await store([created, linked, unlinked, relinked]);
    const path = `/Account/${account}/cases`;

    expect(await namesAt(path, 5)).toEqual([]);
    expect(await namesAt(path, 9)).toEqual(['Ahead']);
  });

  it('reads records with many and large versions in several parts', async () => {
    const account = await anAccount();
    const events = [aCreation('Case', { name: 'Long', accountId: account })];
    const text = 'x'.repeat(2_000);
    for (let count = 1; count < 700; count += 1) {
      const [last] = events.slice(-1);
      if (last !== undefined) events.push(anUpdateAfter(last, { description: `${count} ${text}` }));
    }
    await store(events);
    await store([aCreation('Case', { name: 'Short', accountId: account })]);
    const { body } = await get(at(`/Account/${account}/cases`, 650));
    expect(body).toMatchObject({
      total: 2,
      list: [{ name: 'Long', description: `650 ${text}` }, { name: 'Short' }],
    });
  });

  it('is rejected if too many records have been linked', async () => {
    const account = await anAccount();
    await example.pool.query(
      `insert into annals.stream_mentions (record_id, number, entity_type, by_id, version)
       select $1, 1, 'Case', 'case' || i, 1 from generate_series(1, 1001) i`,
      [account],
    );
    expect(await get(at(`/Account/${account}/cases`, 0))).toMatchObject({
      status: 400,
      body: { code: 'link.too_many' },
    });
  });

  it.each([
    ['the record did not exist', '', -1, [404, 'record.not_found']],
    ['the request has a text filter', '&textFilter=a', 0, [400, 'parameter.unsupported']],
    ['the request has a condition', '&where[0][type]=isTrue', 0, [400, 'parameter.unsupported']],
    ['the request has an order', '&order=desc', 0, [400, 'parameter.unsupported']],
    ['the page is too large', '&maxSize=201', 0, [403, 'list.too_large']],
  ])('is rejected if %s', async (_reason, query, seconds, [status, code]) => {
    const account = await anAccount();
    const { body, ...response } = await get(`${at(`/Account/${account}/cases`, seconds)}${query}`);
    expect([response.status, body.code]).toEqual([status, code]);
  });

  it('is rejected for links to users, whose changes the history does not index', async () => {
    const user = await store([aCreation('User', { userName: 'linked' })]);
    expect(await get(at(`/User/${user}/tasks`, 0))).toMatchObject({
      status: 400,
      body: { code: 'parameter.unsupported' },
    });
  });

  it('reports the names of another form as ignored', async () => {
    const account = await anAccount();
    const { status, headers } = await get(`${at(`/Account/${account}/cases`, 0)}&select=name`);
    expect([status, headers['x-ignored-attributes']]).toEqual([200, 'name']);
  });
});
