import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const id of ['made', 'bare']) await example.store('Account', { id, name: id });
  await example.store('Contact', { id: 'person', name: 'person' });
  for (const [id, values] of [
    ['l1', { createdAccountId: 'made', assignedUserId: 'own' }],
    ['l2', { createdAccountId: 'made', createdContactId: 'person' }],
    ['l3', { createdAccountId: 'made', deleted: true }],
    ['l4', {}],
  ] as const) {
    await example.store('Lead', { id, name: `Lead ${id}`, ...values });
  }
  example.admitRole('all', { Account: all, Lead: all });
  example.admitRole('own', { Account: all, Lead: { ...all, read: 'own' } });
  example.admitRole('none', { Account: all });
  example.admitRole(
    'closed',
    { Account: all, Lead: all },
    { Lead: { createdAccount: { read: 'no' } } },
  );
  example.admitRole('nameless', { Account: all, Lead: all }, { Lead: { name: { read: 'no' } } });
  example.admitRole(
    'closed here',
    { Account: all, Lead: all },
    { Account: { originalLead: { read: 'no' } } },
  );
});
afterAll(async () => example.close());

describe('a link to one that the other side holds', () => {
  it.each([
    ['all', { originalLeadId: 'l2', originalLeadName: 'Lead l2' }],
    ['own', { originalLeadId: 'l1', originalLeadName: 'Lead l1' }],
    ['none', { originalLeadId: null, originalLeadName: null }],
    ['closed', { originalLeadId: null, originalLeadName: null }],
    ['nameless', { originalLeadId: 'l2' }],
    ['closed here', {}],
  ])('shows to %s what they may read there', async (who, shown) => {
    const { status, body } = await example.get('/Account/made', { 'x-actor': who });
    expect(status).toBe(200);
    const { originalLeadId, originalLeadName } = body;
    expect({ originalLeadId, originalLeadName }).toEqual(shown);
  });

  it('is empty where nobody names the record', async () => {
    const { body } = await example.get('/Account/bare');
    expect(body).toMatchObject({ originalLeadId: null, originalLeadName: null });
    expect((await example.get('/Account/bare/originalLead')).body).toEqual({ total: 0, list: [] });
  });

  it('leads back to whoever names the record, of each type', async () => {
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
  ])('is listed for %s with %i', async (who, status) => {
    const answer = await example.get('/Account/made/originalLead?select=name', { 'x-actor': who });
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    expect(answer.body).toMatchObject({ total: 1, list: [{ id: 'l1', name: 'Lead l1' }] });
  });
});
