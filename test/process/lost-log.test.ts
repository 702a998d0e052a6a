import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { createKafkajsClient } from '../../shared/kafka/connection.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

const prefix = `test-${randomBytes(4).toString('hex')}`;
const records = `${prefix}.records`;
const patience = { timeoutMs: 40_000 };
let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: prefix } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const annals = (...line: readonly string[]) =>
  runCli([...line, '--data-dir', product.dataDir], { ANNALS_TOPIC_PREFIX: prefix });

async function addPartitions(topic: string, count: number): Promise<void> {
  const address = toKafkaAddress(product.access().kafka, 'test');
  const kafka = createKafkajsClient(address, pino({ level: 'silent' }));
  const admin = kafka.admin();
  await admin.connect();
  await admin.createPartitions({ topicPartitions: [{ topic, count }] });
  await admin.disconnect();
}

it('Annals rejects writes after partitions were added until `topics accept` runs', async () => {
  const { id } = recordIn(await api.post('/Account', anAccount()));
  await addPartitions(records, 16);

  await eventually(async () => {
    const { status, body } = await api.post('/Account', anAccount());
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('was changed from 4 to 16') },
    });
  }, patience);
  // The api restarts for each problem that it detects in the log, so it may not listen for a moment.
  await eventually(async () => {
    expect((await api.get(`/Account/${id}`)).status).toBe(200);
    const readiness = await fetch(`${product.url}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({ checks: { log: false, postgres: true } });
  }, patience);
  const doctor = await annals('doctor');
  expect(doctor.code).not.toBe(0);
  expect(doctor.stdout).toContain(
    `the number of partitions of ${records} was changed from 4 to 16`,
  );

  const { url } = product.access().postgres;
  await withClient(url, (client) => client.query('create schema annals_rebuild'));
  const accepted = await annals('topics', 'accept', '--yes');
  expect(accepted).toMatchObject({ code: 0, stderr: '' });
  await eventually(async () => {
    const { status } = await api.post('/Account', anAccount());
    expect(status).toBe(200);
    expect((await api.get(`/Account/${id}`)).status).toBe(200);
  }, patience);
  // A rebuild that continued from positions of the previous log would omit the entries of the current one.
  const { rowCount } = await withClient(url, (client) =>
    client.query("select from pg_namespace where nspname = 'annals_rebuild'"),
  );
  expect(rowCount).toBe(0);
});

it('the projector stops and reports the reason when its position is beyond the end of the log', async () => {
  const { url } = product.access().postgres;
  await withClient(url, (client) =>
    client.query(
      'update annals.positions set next_offset = next_offset + 1000 where topic = $1 and partition = 0',
      [records],
    ),
  );
  // Writes a change to each partition: the projector finds its position changed, and reads from the new one.
  await eventually(async () => {
    await api.post('/Account', anAccount(), { prefer: 'respond-async' });
    const ready = await fetch(`${product.internalUrl('projector')}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain(`${records}/0 has the offsets from 0 to`);
  }, patience);
});
