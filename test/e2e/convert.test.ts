import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: `convert-${process.pid}` } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});
afterAll(async () => {
  api.close();
  await product.remove();
});

const makeLead = async (lastName: string) =>
  String(recordIn(await api.post('/Lead', { lastName }))['id']);
const recordsFor = (name: string) => ({
  Account: { name: `${name} Ltd` },
  Contact: { firstName: 'Ann', lastName: name },
  Opportunity: { name: `${name} deal`, amount: 500, closeDate: '2030-01-31' },
});
const convert = async (body: object, headers = {}) =>
  api.post('/Lead/action/convert', body, headers);

describe('a lead', () => {
  it('becomes an account, a contact and an opportunity that are linked with each other', async () => {
    const { id } = recordIn(await api.post('/Lead', { lastName: 'Whole', title: 'Buyer' }));
    const answer = await convert({ id, records: recordsFor('Whole') });
    expect(answer.status, answer.text).toBe(200);
    const lead = recordIn(answer);
    expect(lead).toMatchObject({
      id,
      status: 'Converted',
      createdAccountName: 'Whole Ltd',
      createdContactName: 'Ann Whole',
      createdOpportunityName: 'Whole deal',
    });
    expect(answer.text).not.toContain('conversion');
    const accountId = lead['createdAccountId'];
    const contactId = lead['createdContactId'];
    expect((await api.get(`/Contact/${contactId}`)).body).toMatchObject({
      accountId,
      accountName: 'Whole Ltd',
      title: 'Buyer',
      accountsColumns: { [String(accountId)]: { role: 'Buyer' } },
    });
    expect(answer.headers['x-consistency-token']).toMatch(/^r\d+-\d+(?:,r\d+-\d+)*$/);
    expect((await api.get(`/Opportunity/${lead['createdOpportunityId']}`)).body).toMatchObject({
      accountId,
      contactId,
      contactsIds: [contactId],
    });
    expect((await api.get('/Lead?primaryFilter=converted')).body).toMatchObject({ total: 1 });
  });

  it('changes only its status if nothing is to be made of it', async () => {
    const id = await makeLead('Alone');
    expect((await convert({ id, records: {} })).body).toMatchObject({
      status: 'Converted',
      createdAccountId: null,
    });
  });

  it('is converted once for one key', async () => {
    const id = await makeLead('Keyed');
    const key = { 'Idempotency-Key': 'convert-once' };
    const body = { id, records: recordsFor('Keyed') };
    const first = await convert(body, key);
    const again = await convert(body, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const where = [{ type: 'equals', attribute: 'name', value: 'Keyed Ltd' }];
    const found = await api.get(
      `/Account?searchParams=${encodeURIComponent(JSON.stringify({ where }))}`,
    );
    expect(found.body).toMatchObject({ total: 1 });
  });

  it('stays as it is if anything is wrong with what it shall become', async () => {
    const id = await makeLead('Untouched');
    const good = recordsFor('Untouched');
    await api.post('/Account', { name: 'Untouched Ltd' });
    const bad: readonly (readonly [object, number])[] = [
      [{ id, records: { ...good, Opportunity: { name: 'No amount' } } }, 400],
      [{ id, records: { Case: { name: 'x' } } }, 400],
      [{ id, records: 'all' }, 400],
      [{ records: good }, 400],
      [{ id, records: good }, 409],
      [{ id: 'nobody', records: {} }, 404],
    ];
    for (const [body, status] of bad) expect((await convert(body)).status).toBe(status);
    expect((await api.get(`/Lead/${id}`)).body).toMatchObject({ status: 'New' });
    const insisted = await convert({ id, records: good, skipDuplicateCheck: true });
    expect(insisted.status).toBe(200);
  });

  it('tells what its records could begin with', async () => {
    const names = { lastName: 'Hopper', accountName: 'Navy', opportunityAmount: 5 };
    const { id } = recordIn(await api.post('/Lead', names));
    const answer = await api.post('/Lead/action/getConvertAttributes', { id });
    expect(answer.body).toMatchObject({
      Account: { name: 'Navy' },
      Contact: { lastName: 'Hopper' },
      Opportunity: { amount: 5, amountCurrency: 'USD' },
    });
    expect(Object(answer.body).Contact).not.toHaveProperty('accountName');
    for (const [body, status] of [
      [{}, 400],
      [{ id: 'nobody' }, 404],
      [{ id: '\u0000' }, 404],
    ] as const) {
      expect((await api.post('/Lead/action/getConvertAttributes', body)).status).toBe(status);
    }
  });

  it('is converted wholly or not at all when the process dies', { timeout: 120_000 }, async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => makeLead(`Crash${n}`)),
    );
    const converting = ids.map(async (id, n) => {
      await convert({ id, records: recordsFor(`Crash${n}`) }).catch(() => undefined);
    });
    await new Promise((resolve) => setTimeout(resolve, 40));
    product.kill('api');
    await Promise.all(converting);
    await product.waitUntilReady('api');
    await eventually(
      async () => {
        for (const id of ids) await expectWhole(id);
      },
      { timeoutMs: 60_000, intervalMs: 1_000 },
    );
  });
});

async function expectWhole(id: string): Promise<void> {
  const lead = recordIn(await api.get(`/Lead/${id}`));
  for (const target of ['Account', 'Contact', 'Opportunity']) {
    const made = lead[`created${target}Id`];
    if (lead['status'] !== 'Converted') expect(made).toBeNull();
    else expect((await api.get(`/${target}/${made}`)).status).toBe(200);
  }
}
