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
  // May read the records, but neither their addresses nor the names of their accounts.
  const closed = { Contact: { emailAddress: { read: 'no' }, account: { read: 'no' } } };
  const contacts = { Contact: { read: 'all' } };
  example.addActor(buildActor({ ...ann, id: 'closed' }, [role(contacts, closed)]));
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

  it('returns names that begin with the text first, and each record once', async () => {
    await example.store('Account', { id: 'z1', name: 'Ahead of Zorro' });
    await example.store('Account', { id: 'z2', name: 'Zorro Ltd' });
    await example.store('Account', { id: 'z3', name: 'Zorr_ Ltd' });
    const ids = async (query: string) =>
      (await found(query)).list.map(({ id }: { readonly id: string }) => id);
    expect(await ids('q=zorro')).toEqual(['z2', 'z1']);
    expect(await ids('q=zorro&maxSize=1&offset=1')).toEqual(['z1']);
    expect(await ids('q=ZORRO+l')).toEqual(['z2']);
    expect(await ids('q=zorr_')).toEqual(['z3', 'z1', 'z2']);
  });

  it('finds words in any order unless the mode is espo, and rejects other modes', async () => {
    const ids = async (query: string) =>
      (await found(query)).list.map(({ id }: { readonly id: string }) => id);
    expect(await ids('q=bob+acm')).toEqual(['a-bob']);
    expect(await ids('q=bob+acm&textFilterMode=espo')).toEqual([]);
    expect((await example.get('/GlobalSearch?q=bob&textFilterMode=fuzzy')).status).toBe(400);
  });

  it('returns the alphabetically first records of a type with very many matches', async () => {
    const { pool } = example;
    await pool.query(`insert into annals.task (id, version, deleted, name, created_at)
      select 't' || n, 1, false, 'Dense ' || lpad((30000 - n)::text, 5, '0'), '2030-01-01'
      from generate_series(0, 25000) n`);
    const { total, list } = await found('q=dense&maxSize=2');
    expect([total, ...list.map(({ name }: { readonly name: string }) => name)]).toEqual([
      -1,
      'Dense 05000',
      'Dense 05001',
    ]);
  });

  it('returns the alphabetically first matches of a type even if many other names precede them', async () => {
    await example.pool.query(`insert into annals.call (id, version, deleted, name, created_at)
      select 'c' || n, 1, false, case when n < 12000 then 'Early ' else 'Zoe ' end || lpad(n::text, 5, '0'), '2030-01-01'
      from generate_series(0, 35000) n`);
    const { total, list } = await found('q=zoe&maxSize=2&offset=1');
    expect([total, ...list.map(({ name }: { readonly name: string }) => name)]).toEqual([
      -1,
      'Zoe 12001',
      'Zoe 12002',
    ]);
  });

  it('returns the account, the e-mail address or the status of each record as a hint', async () => {
    await example.store('Account', { id: 'h1', name: 'Hinted Ltd', emailAddress: 'in@fo.example' });
    await example.store('Contact', { id: 'h2', name: 'Hinted One', accountId: 'h1' });
    await example.store('Contact', { id: 'h3', name: 'Hinted Two', emailAddress: 'two@q.example' });
    await example.store('Contact', { id: 'h4', name: 'Hinted Without' });
    await example.store('Lead', { id: 'h5', name: 'Hinted Lead', status: 'New' });
    const hints = async (actor?: string) =>
      (await found('q=hinted', actor)).list.map(
        ({ id, hint, hintAttribute }: Record<string, unknown>) => [id, hint, hintAttribute],
      );
    expect(await hints()).toEqual([
      ['h1', 'in@fo.example', 'emailAddress'],
      ['h2', 'Hinted Ltd', 'accountName'],
      ['h3', 'two@q.example', 'emailAddress'],
      ['h4', null, null],
      ['h5', 'New', 'status'],
    ]);
    expect(await hints('closed')).toEqual([
      ['h2', null, null],
      ['h3', null, null],
      ['h4', null, null],
    ]);
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
    'rejects the query %j',
    async (query) => {
      expect((await example.get(`/GlobalSearch?${query}`)).status).toBe(400);
    },
  );
});
