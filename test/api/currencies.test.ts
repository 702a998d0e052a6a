import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals();
  admin = createApiClient(annals.url, withPassword(annals.admin));
  expect((await admin.put('/CurrencyRate', { EUR: 1.1, JPY: 0.007 })).status).toBe(200);
});
afterAll(async () => {
  admin?.close();
  await annals?.stop();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

async function userWith(role: object): Promise<ApiClient> {
  const name = unique('u').replace(' ', '');
  const { id: roleId } = recordIn(await admin.post('/Role', { name, ...role }));
  const body = { userName: name, type: 'api', rolesIds: [roleId] };
  const user = recordIn(await admin.post('/User', body));
  return admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
}

async function makeOpportunity(amount: number, amountCurrency: string, more: object = {}) {
  const body = { name: unique('Deal'), closeDate: '2030-01-31', amount, amountCurrency, ...more };
  return recordIn(await admin.post('/Opportunity', body));
}

const read = async (id: string) => recordIn(await admin.get(`/Opportunity/${id}`));

describe('currency rates', () => {
  it('are returned as one map and can be set individually', async () => {
    expect((await admin.put('/CurrencyRate', { GBP: 1.27 })).body).toMatchObject({
      EUR: 1.1,
      GBP: 1.27,
    });
    expect((await admin.get('/CurrencyRate')).body).toEqual({ EUR: 1.1, JPY: 0.007, GBP: 1.27 });
    const settings = (await admin.get('/Settings')).body;
    expect(settings).toMatchObject({ currencyRates: { EUR: 1.1 }, defaultCurrency: 'USD' });
    expect(settings).toMatchObject({ currencyList: expect.arrayContaining(['USD', 'GBP']) });
  });

  it('must be between 1e-9 and 1e9, and amounts are limited too', async () => {
    for (const rate of [5e-324, 1e-10, 1e10]) {
      const refused = await admin.put('/CurrencyRate', { JPY: rate });
      expect(refused).toMatchObject({ status: 400, body: { code: 'record.invalid' } });
    }
    const body = { name: unique('Deal'), closeDate: '2030-01-31', amountCurrency: 'JPY' };
    const refused = await admin.post('/Opportunity', { ...body, amount: 5e-324 });
    expect(refused).toMatchObject({ status: 400, body: { code: 'record.invalid' } });
    expect((await admin.put('/CurrencyRate', { LOW: 1e-9 })).status).toBe(200);
    const { id } = await makeOpportunity(9_000_000_000_000, 'USD');
    const action = { entityType: 'Opportunity', id, action: 'convertCurrency' };
    const converted = await admin.post('/Action', { ...action, data: { targetCurrency: 'LOW' } });
    expect(converted).toMatchObject({ status: 400, body: { code: 'record.invalid' } });
    expect(await read(String(id))).toMatchObject({ amount: 9_000_000_000_000 });
  });

  it('require the Currency scope for reads and writes', async () => {
    const reader = await userWith({ data: { Currency: { read: 'yes', edit: 'no' } } });
    expect((await reader.get('/CurrencyRate')).status).toBe(200);
    expect((await reader.put('/CurrencyRate', { EUR: 2 })).status).toBe(403);
    const editor = await userWith({ data: { Currency: { read: 'yes', edit: 'yes' } } });
    expect((await editor.put('/CurrencyRate', { SEK: 0.1 })).status).toBe(200);
    const nobody = await userWith({ data: { Account: all } });
    expect((await nobody.get('/CurrencyRate')).status).toBe(403);
    const bad = { name: unique('role'), data: { Currency: { edit: 'all' } } };
    expect((await admin.post('/Role', bad)).status).toBe(400);
    expect((await admin.get('/CurrencyRate')).body).toMatchObject({ EUR: 1.1, SEK: 0.1 });
    expect((await reader.get('/App/user')).body).toMatchObject({
      acl: { table: { Currency: { read: 'yes', edit: 'no' } } },
    });
  });

  it.each([
    [{ eur: 1 }],
    [{ EUR: 0 }],
    [{ EUR: -1 }],
    [{ EUR: '1.1' }],
    [{ EUR: null }],
    [{ EUR: 1e12 }],
    [{ USD: 2 }],
    [{ GBP: 3, __proto: 1 }],
  ])('reject the body %j', async (body) => {
    const before = (await admin.get('/CurrencyRate')).body;
    expect((await admin.put('/CurrencyRate', body)).status).toBe(400);
    expect((await admin.get('/CurrencyRate')).body).toEqual(before);
  });
});

describe('an amount', () => {
  it('is converted at the current rates without changing its record', async () => {
    await admin.put('/CurrencyRate', { CHF: 1.5 });
    const made = await makeOpportunity(100.1, 'CHF', { probability: 50 });
    expect(made).toMatchObject({ amountConverted: 150.15, amountWeightedConverted: 75.08 });
    expect(await read(made.id)).toMatchObject({
      amount: 100.1,
      amountConverted: 150.15,
      amountWeightedConverted: 75.08,
    });
    await admin.put('/CurrencyRate', { CHF: 2 });
    expect(await read(made.id)).toMatchObject({
      amountConverted: 200.2,
      amountWeightedConverted: 100.1,
    });
    expect(recordIn(await admin.put(`/Opportunity/${made.id}`, { amount: 100.1 }))).toMatchObject({
      amountConverted: 200.2,
    });
    const { list } = listIn(await admin.get(`/Opportunity/${made.id}/history`));
    expect(list).toHaveLength(1);
  });

  it('is filtered and sorted by its converted value', async () => {
    const name = unique('Sorted');
    const dear = await makeOpportunity(100, 'EUR', { name });
    const cheap = await makeOpportunity(1_000, 'JPY', { name });
    const same = await makeOpportunity(105, 'USD', { name });
    const query = new URLSearchParams({
      orderBy: 'amountConverted',
      order: 'asc',
      'where[0][type]': 'equals',
      'where[0][attribute]': 'name',
      'where[0][value]': name,
      'where[1][type]': 'greaterThan',
      'where[1][attribute]': 'amountConverted',
      'where[1][value]': '6.99',
    });
    const { list } = listIn(await admin.get(`/Opportunity?${query}`));
    expect(list.map(({ id }) => id)).toEqual([cheap.id, same.id, dear.id]);
    expect(list.map(({ amountConverted }) => amountConverted)).toEqual([7, 105, 110]);
  });

  it.each(['XXX', 'usd', 7])('rejects the currency %j', async (amountCurrency) => {
    const body = { name: unique('Deal'), closeDate: '2030-01-31', amount: 1, amountCurrency };
    const answer = await admin.post('/Opportunity', body);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { errors: [{ field: 'amount', type: 'validCurrency' }] },
    ]);
    const { id } = await makeOpportunity(1, 'EUR');
    expect((await admin.put(`/Opportunity/${id}`, { amountCurrency })).status).toBe(400);
  });

  it('is converted into another currency for one record on request', async () => {
    const { id } = await makeOpportunity(10, 'EUR');
    const convert = (targetCurrency: string, others = {}) =>
      admin.post('/Action', {
        entityType: 'Opportunity',
        id,
        action: 'convertCurrency',
        data: { targetCurrency },
        ...others,
      });
    expect(await convert('USD')).toMatchObject({
      status: 200,
      body: { id, amount: 11, amountCurrency: 'USD' },
    });
    expect(await read(id)).toMatchObject({ amount: 11, amountCurrency: 'USD' });
    expect((await convert('XXX')).status).toBe(400);
    expect((await convert('EUR', { id: 'nobody' })).status).toBe(404);
    expect((await convert('EUR', { entityType: 'Task' })).status).toBe(403);
    expect((await convert('EUR', { action: 'lock' })).status).toBe(403);
    expect((await convert('EUR', { action: 'update' })).status).toBe(404);
    const reader = await userWith({ data: { Opportunity: { ...all, edit: 'no' } } });
    const conversion = { entityType: 'Opportunity', id, action: 'convertCurrency' };
    expect((await reader.post('/Action', conversion)).status).toBe(403);
    expect(await read(id)).toMatchObject({ amountCurrency: 'USD' });
  });

  it('is converted into another currency for many records on request', async () => {
    const euros = await makeOpportunity(10, 'EUR');
    const dollars = await makeOpportunity(22, 'USD');
    const body = (targetCurrency: string) => ({
      entityType: 'Opportunity',
      action: 'convertCurrency',
      params: { ids: [euros.id, dollars.id] },
      data: { targetCurrency },
    });
    expect((await admin.post('/MassAction', body('EUR'))).body).toMatchObject({ count: 2 });
    expect(await read(euros.id)).toMatchObject({ amount: 10, amountCurrency: 'EUR' });
    expect(await read(dollars.id)).toMatchObject({
      amount: 20,
      amountCurrency: 'EUR',
      amountConverted: 22,
    });
    expect((await admin.post('/MassAction', body('XXX'))).status).toBe(400);
    const api = await userWith({
      data: { Opportunity: all },
      fieldData: { Opportunity: { amount: { read: 'yes', edit: 'no' } } },
      massUpdatePermission: 'yes',
    });
    await api.post('/MassAction', body('USD'));
    expect(await read(euros.id)).toMatchObject({ amount: 10, amountCurrency: 'EUR' });
  });
});
