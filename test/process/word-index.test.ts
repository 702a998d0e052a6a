import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { BUILD_LOCK } from '../../services/projector/tables/build-text-indexes.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

const topicPrefix = `words-${process.pid}`;
/** An api looks for indexes every 15 s, and so does a projector. */
const patience = { timeoutMs: 90_000, intervalMs: 500 };
let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: topicPrefix } });
  admin = createApiClient(product.url, withPassword(product.access().admin));
  recordIn(await admin.post('/Contact', { firstName: 'Jana', lastName: 'Müller-Lüdenscheidt' }));
});

afterAll(async () => {
  admin?.close();
  await product?.remove();
});

const countOf = async (text: string) =>
  listIn(await admin.get(`/Contact?textFilter=${encodeURIComponent(text)}`)).list.length;

const inDatabase = <Result>(work: Parameters<typeof withClient<Result>>[1]) =>
  withClient(product.access().postgres.url, work);

const findIndex = () =>
  inDatabase(async (client) => {
    const { rows } = await client.query<{ name: string; isValid: boolean }>(
      `select c.relname as name, i.indisvalid as "isValid"
       from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = 'annals'::regnamespace and c.relname like 'contact$words\\_%'`,
    );
    return rows;
  });

it('lets searches follow the rule of earlier versions until a projector has built a missing index', async () => {
  expect(await countOf('ludensch')).toBe(1);
  const [index] = await findIndex();
  await inDatabase(async (client) => {
    // Keeps projectors from building it, as if there were millions of records.
    await client.query('select pg_advisory_lock($1)', [BUILD_LOCK]);
    await client.query(`drop index annals."${index?.name}"`);
    await eventually(async () => expect(await countOf('ludensch')).toBe(0), patience);
    expect(await countOf('jana mül')).toBe(1);
    expect(await findIndex()).toEqual([]);
  });
  await eventually(async () => expect(await countOf('ludensch')).toBe(1), patience);
  expect(await findIndex()).toEqual([{ name: index?.name, isValid: true }]);
});

it('keeps the index in a rebuild', async () => {
  const before = await findIndex();
  const { code, stdout, stderr } = await runCli(['rebuild', '--data-dir', product.dataDir], {
    ANNALS_TOPIC_PREFIX: topicPrefix,
    ...toKafkaVariables(product.access().kafka),
    DATABASE_URL: product.access().postgres.url,
  });
  expect(code, stdout + stderr).toBe(0);
  expect(await findIndex()).toEqual(before);
  expect(await countOf('ludensch')).toBe(1);
});
