import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const id of ['made', 'bare']) await example.store('Account', { id, name: id });
  for (const id of ['amy', 'person', 'zoe']) await example.store('Contact', { id, name: id });
  for (const [id, values] of [
    ['l1', { createdAccountId: 'made', assignedUserId: 'own' }],
    ['l2', { createdAccountId: 'made', createdContactId: 'person' }],
    ['l3', { createdAccountId: 'made', deleted: true }],
    ['l4', { createdContactId: 'amy' }],
  ] as const) {
    await example.store('Lead', { id, name: `Lead ${id}`, ...values });
  }
  example.addActorWithRole('all', { Account: all, Lead: all });
  example.addActorWithRole('own', { Account: all, Lead: { ...all, read: 'own' } });
  example.addActorWithRole('none', { Account: all });
  example.addActorWithRole(
    'closed',
    { Account: all, Lead: all },
    { Lead: { createdAccount: { read: 'no' } } },
  );
  example.addActorWithRole(
    'nameless',
    { Account: all, Lead: all },
    { Lead: { name: { read: 'no' } } },
  );
  example.addActorWithRole(
    'closed here',
    { Account: all, Lead: all },
    { Account: { originalLead: { read: 'no' } } },
  );
});
afterAll(async () => example.close());

describe('a link to one record stored on the other side', () => {
  it.each([
    ['all', { originalLeadId: 'l2', originalLeadName: 'Lead l2' }],
    ['own', { originalLeadId: 'l1', originalLeadName: 'Lead l1' }],
    ['none', { originalLeadId: null, originalLeadName: null }],
    ['closed', { originalLeadId: null, originalLeadName: null }],
    ['nameless', { originalLeadId: 'l2' }],
    ['closed here', {}],
  ])('returns the linked record that a user with %s access may read', async (who, shown) => {
    const last = '/Account?orderBy=id&order=desc';
    const select = 'select=originalLeadName,originalLeadId';
    const read = async (path: string) => (await example.get(path, { 'x-actor': who })).body;
    const found = [
      await read('/Account/made'),
      (await read(`${last}&${select}`)).list[0],
      (await read(`${last}&${select}&textFilter=made`)).list[0],
    ];
    for (const { id, originalLeadId, originalLeadName } of found) {
      expect({ id, originalLeadId, originalLeadName }).toEqual({ id: 'made', ...shown });
    }
    expect((await read(last)).list[0]).not.toHaveProperty('originalLeadId');
  });

  it.each<readonly [item: object, who: string, found: string]>([
    [{ type: 'equals', attribute: 'originalLeadId', value: 'l2' }, 'all', 'made'],
    // Only the newest of the readable linked records counts.
    [{ type: 'equals', attribute: 'originalLeadId', value: 'l1' }, 'all', ''],
    [{ type: 'equals', attribute: 'originalLeadId', value: 'l1' }, 'own', 'made'],
    [{ type: 'in', attribute: 'originalLeadId', value: ['l2', 'l3'] }, 'admin', 'made'],
    [{ type: 'equals', attribute: 'originalLeadId', value: 'l3' }, 'admin', ''],
    [{ type: 'equals', attribute: 'originalLeadId', value: 'l2' }, 'none', ''],
    [{ type: 'equals', attribute: 'originalLeadId', value: 'l2' }, 'closed', ''],
    [{ type: 'notEquals', attribute: 'originalLeadId', value: 'l1' }, 'all', 'made'],
    [{ type: 'isNotNull', attribute: 'originalLeadId' }, 'all', 'made'],
    [{ type: 'isNull', attribute: 'originalLeadId' }, 'all', 'bare'],
    [{ type: 'isNull', attribute: 'originalLeadId' }, 'none', 'bare made'],
    [{ type: 'startsWith', attribute: 'originalLeadName', value: 'lead l' }, 'all', 'made'],
    [{ type: 'equals', attribute: 'originalLead.name', value: 'Lead l2' }, 'all', 'made'],
    [{ type: 'equals', attribute: 'originalLead.name', value: 'Lead l1' }, 'all', ''],
    [{ type: 'linkedWith', attribute: 'originalLead', value: 'l2' }, 'all', 'made'],
    [{ type: 'isLinked', attribute: 'originalLead' }, 'own', 'made'],
    [{ type: 'isNotLinked', attribute: 'originalLead' }, 'all', 'bare'],
    [{ type: 'isNotLinked', attribute: 'originalLead' }, 'closed', 'bare made'],
  ])('can be searched by %j as %s with the result: %s', async (item, who, found) => {
    const where = encodeURIComponent(JSON.stringify([item]));
    const { body, text } = await example.get(`/Account?orderBy=id&where=${where}`, {
      'x-actor': who,
    });
    expect(body.list, text).toBeInstanceOf(Array);
    expect(body.list.map(({ id }: { readonly id: string }) => id).join(' ')).toBe(found);
  });

  it.each([
    ['equals', 'originalLeadId', 'closed here'],
    ['isLinked', 'originalLead', 'closed here'],
    ['equals', 'originalLeadName', 'nameless'],
  ])('returns 400 for a search by %s of %s as %s', async (type, attribute, who) => {
    const where = encodeURIComponent(JSON.stringify([{ type, attribute, value: 'l2' }]));
    expect((await example.get(`/Account?where=${where}`, { 'x-actor': who })).status).toBe(400);
  });

  it('can be used to sort a list if its name is readable', async () => {
    const sorted = async (order: string) => {
      const { body } = await example.get(`/Contact?orderBy=originalLead&order=${order}`);
      return body.list.map(({ id }: { readonly id: string }) => id).join(' ');
    };
    expect([await sorted('asc'), await sorted('desc')]).toEqual([
      'zoe person amy',
      'amy person zoe',
    ]);
    const of = async (who: string) =>
      (await example.get('/Account?orderBy=originalLead', { 'x-actor': who })).status;
    expect([await of('all'), await of('closed'), await of('nameless')]).toEqual([200, 200, 400]);
  });

  it('is empty if no record links to this one', async () => {
    const { body } = await example.get('/Account/bare');
    expect(body).toMatchObject({ originalLeadId: null, originalLeadName: null });
    expect((await example.get('/Account/bare/originalLead')).body).toEqual({ total: 0, list: [] });
  });

  it('returns the linking record for each type', async () => {
    expect((await example.get('/Contact/person')).body).toMatchObject({ originalLeadId: 'l2' });
    const { body } = await example.get('/Contact/person/originalLead?select=name');
    expect(body).toMatchObject({ total: 1, list: [{ id: 'l2', name: 'Lead l2' }] });
    expect((await example.get('/Contact/person/portalUser')).body).toEqual({ total: 0, list: [] });
  });

  it.each([
    ['own', 200],
    ['none', 403],
    ['closed', 403],
    ['closed here', 403],
  ])('can be listed with %s access: status %i', async (who, status) => {
    const answer = await example.get('/Account/made/originalLead?select=name', { 'x-actor': who });
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    expect(answer.body).toMatchObject({ total: 1, list: [{ id: 'l1', name: 'Lead l1' }] });
  });
});
