import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const assignedUserId of ['ann', 'bob']) {
    await example.store('Account', {
      id: `a-${assignedUserId}`,
      name: `Acme of ${assignedUserId}`,
      assignedUserId,
    });
  }
  await example.store('Account', { id: 'gone', name: 'Acme gone', deleted: true });
  await example.store('Contact', { id: 'c1', name: 'Acme Person', emailAddress: 'p@q.example' });
  await example.store('Lead', { id: 'l1', name: 'Acme lead', lastName: 'lead' });
  const role = (data: object, fieldData: object = {}) => ({
    entityType: 'Role',
    id: 'r',
    version: 1,
    deleted: false,
    values: { data, fieldData } as never,
  });
  const ann = { id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] } as const;
  const own = { Account: { read: 'own' }, Contact: { read: 'all' } };
  example.addActor(buildActor(ann, [role(own)]));
  const blind = { Contact: { name: { read: 'no' } } };
  example.addActor(
    buildActor({ ...ann, id: 'blind' }, [role({ Contact: { read: 'all' } }, blind)]),
  );
  example.addActor(buildActor({ ...ann, id: 'nobody' }, [role({})]));
});
afterAll(async () => example.close());

const found = async (query: string, actor = 'admin') =>
  (await example.get(`/GlobalSearch?${query}`, { 'x-actor': actor })).body;

describe('the search in all entity types', () => {
  it('returns records by type, then by name', async () => {
    expect(await found('q=acme')).toMatchObject({
      total: -2,
      list: [
        { id: 'a-ann', name: 'Acme of ann', _scope: 'Account' },
        { id: 'a-bob', name: 'Acme of bob', _scope: 'Account' },
        { id: 'c1', name: 'Acme Person', _scope: 'Contact' },
        { id: 'l1', _scope: 'Lead' },
      ],
    });
    expect(await found('q=p@q.example')).toMatchObject({ list: [{ id: 'c1' }] });
  });

  it('returns further pages', async () => {
    expect(await found('q=acme&maxSize=3')).toMatchObject({ total: -1, list: { length: 3 } });
    expect(await found('q=acme&maxSize=3&offset=3')).toMatchObject({
      total: -2,
      list: [{ id: 'l1' }],
    });
  });

  it('returns only what the user may read', async () => {
    const { list } = await found('q=acme', 'ann');
    expect(list.map(({ id }: { readonly id: string }) => id)).toEqual(['a-ann', 'c1']);
    expect(await found('q=acme', 'blind')).toEqual({ total: -2, list: [] });
    expect(await found('q=p@q.example', 'blind')).toMatchObject({
      list: [{ id: 'c1', name: null }],
    });
    expect(await found('q=acme', 'nobody')).toEqual({ total: -2, list: [] });
  });

  it('reveals neither closed names nor their order', async () => {
    for (const [id, name] of [
      ['z1', 'Aaron'],
      ['z2', 'Mary'],
      ['y3', 'Zoe'],
    ] as const) {
      await example.store('Contact', { id, name, emailAddress: `${id}@order.example` });
    }
    const page = async (offset: number) => {
      const { list } = await found(`q=*order.example&maxSize=1&offset=${offset}`, 'blind');
      return list.map(({ id }: { readonly id: string }) => id);
    };
    expect([await page(0), await page(1), await page(2)]).toEqual([['y3'], ['z1'], ['z2']]);
  });

  it.each(['', 'q=', 'q=%20', 'q=a&maxSize=x', `q=${'a'.repeat(300)}`])(
    'rejects %j',
    async (query) => {
      expect((await example.get(`/GlobalSearch?${query}`)).status).toBe(400);
    },
  );
});
