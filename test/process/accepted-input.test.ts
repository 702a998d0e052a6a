import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { fuzzProduct } from '../support/bad-input/fuzz-product.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

const prefix = `accepted-${process.pid}`;

let product: StartedProduct;
let admin: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    env: { ANNALS_TOPIC_PREFIX: prefix, API_CUSTOM_PREFIX: 'taken' },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
  other = admin.as(withApiKey(product.access().apiKey));
});
afterAll(async () => {
  admin?.close();
  await product?.remove();
});

const writeOfAnother = async () => {
  const written = await other.post('/Account', { name: 'x' }, { 'X-Skip-Duplicate-Check': 'true' });
  expect(written.status, written.text).toBe(200);
};

describe('a duration that the tables cannot store', () => {
  const meeting = { name: 'm', assignedUserId: 'admin' };
  it.each([
    ['a meeting of 77 years', { dateStart: '1950-01-01 00:00:00', dateEnd: '2027-01-01 00:00:00' }],
    [
      'a meeting that ends before it starts',
      { dateStart: '2027-01-01 00:00:00', dateEnd: '1950-01-01 00:00:00' },
    ],
    ['a meeting of 9,998 years', { dateStartDate: '0001-01-01', dateEndDate: '9999-12-31' }],
    ['a meeting of 24,856 days', { dateStartDate: '2026-01-01', duration: 2_147_483_647 }],
  ])('is rejected with 400 without blocking other users: %s', async (_, times) => {
    const refused = await admin.post('/Meeting', { ...meeting, ...times });
    expect([refused.status, Object(refused.body).code]).toEqual([400, 'record.invalid']);
    expect(refused.text).toContain('duration');
    await writeOfAnother();
  });
});

describe('a name that Postgres reserves', () => {
  it.each(['X'.repeat(60), 'LeadCreated', 'ContactAccountId', 'RecordHistoryCommand', 'Positions'])(
    'can be used for the entity type %s',
    async (name) => {
      const created = await admin.post('/EntityManager/action/createEntity', {
        name,
        type: 'Base',
      });
      expect(created.status, created.text).toBe(200);
      await writeOfAnother();
      const record = await admin.post(`/${name}`, { name: 'kept' });
      expect(record.status, record.text).toBe(200);
      expect((await admin.get(`/${name}`)).body).toMatchObject({ total: 1 });
    },
  );

  it.each(['ctid', 'xmin', 'tableoid'])('can be used for the field %s', async (name) => {
    const created = await admin.post('/Admin/fieldManager/Account', { name, type: 'varchar' });
    expect(created.status, created.text).toBe(200);
    const record = await admin.post('/Account', { name: `with ${name}`, [name]: 'a value' });
    expect(record.body).toMatchObject({ [name]: 'a value' });
    const where = `where[0][type]=equals&where[0][attribute]=${name}&where[0][value]=a%20value`;
    const { body } = await admin.get(`/Account?${where}&select=${name}&orderBy=${name}`);
    expect(body).toMatchObject({ total: 1, list: [{ [name]: 'a value' }] });
  });
});

it("unusual but accepted values and names do not block other users' writes", async () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? 35);
  const sample = { values: 60, entities: 20, fields: 75 };
  expect(await fuzzProduct({ admin, other, random: createRandomSource(seed), sample })).toEqual([]);
  const { stdout, stderr, code } = await runCli(['verify', '--data-dir', product.dataDir], {
    ANNALS_TOPIC_PREFIX: prefix,
  });
  expect(`${code} ${stderr}${stdout}`).toMatch(/^0 /);
}, 120_000);
