import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { codesOf } from '../support/log/test-codes.ts';

const prefix = `test-${randomBytes(4).toString('hex')}`;
const records = `${prefix}.records`;
const patience = { timeoutMs: 40_000 };
const says = 'a later version of Annals has written to this log';

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    env: { ANNALS_TOPIC_PREFIX: prefix, ANNALS_WRITE_TIMEOUT: '2s' },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

/** Appends entries in Avro single-object encoding, with a valid code, but with an unknown schema. */
async function writeNewerEntries(): Promise<void> {
  const kafka = createKafkaConnection(
    toKafkaAddress(product.access().kafka, 'newer-test'),
    pino({ level: 'silent' }),
  );
  const append = createAppendMessages(kafka);
  const codes = codesOf(product);
  const value = Buffer.concat([Buffer.from([0xc3, 0x01]), randomBytes(40)]);
  for (let partition = 0; partition < (await kafka.partitionsOf(records)); partition += 1) {
    const headers = codes.headersOf({ topic: records, partition }, { value });
    await append(records, partition, [{ key: 'newer', value, headers }]);
  }
  await kafka.close();
}

it('services wait before an entry from a later version while reads continue', async () => {
  const { id } = recordIn(await api.post('/Account', anAccount()));
  await writeNewerEntries();

  await eventually(async () => {
    expect(product.output()).toContain(`projection interrupted err=${says}`);
    expect(await api.post('/Account', anAccount())).toMatchObject({ status: 503 });
    expect((await fetch(`${product.url}/readyz`)).status).toBe(503);
  }, patience);
  expect((await api.get(`/Account/${id}`)).status).toBe(200);
  expect((await api.get('/Account')).status).toBe(200);

  const env = { ANNALS_TOPIC_PREFIX: prefix };
  const rejected = await runCli(['rejected', 'list', '--json', '--data-dir', product.dataDir], env);
  expect(rejected.stdout).not.toContain('unknown schema');
});
