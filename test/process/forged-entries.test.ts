import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { encodeEvent, encodeFence } from '../../shared/events/log-entry-codec.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { createEntryCodes } from '../../shared/secrets/entry-codes.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { createLogReader } from '../support/log/log-reader.ts';

const topicPrefix = `forged-${process.pid}`;
const { directory } = topicNames(topicPrefix);
let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: topicPrefix } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
});

afterAll(async () => {
  admin?.close();
  api?.close();
  await product?.remove();
});

/** Appends entries like an account that may read and write the topics but lacks the key. */
async function forge(codes: ReturnType<typeof createEntryCodes> | undefined): Promise<void> {
  const { kafka } = product.access();
  const reader = createLogReader(kafka);
  const [folded] = await reader.folded(directory);
  await reader.close();
  const user = folded?.events.findLast(
    ({ entityType, recordId }) => entityType === 'User' && recordId === 'user',
  );
  const last = folded?.events.at(-1);
  const token = folded?.fences.at(-1)?.token;
  if (user === undefined || last === undefined || token === undefined) throw new Error('no user');
  const sequence = last.token === token ? last.sequence + 1 : 1;
  const event = encodeEvent({
    ...user,
    type: 'Updated',
    eventId: crypto.randomUUID(),
    version: user.version + 1,
    token,
    sequence,
    changes: [{ attribute: 'type', before: 'regular', after: 'admin' }],
  });
  const fence = encodeFence({
    token: 'forged',
    prevToken: token,
    owner: 'x',
    address: 'http://127.0.0.1:1',
    occurredAt: Date.now(),
  });
  const place = { topic: directory, partition: 0 };
  const connection = createKafkaConnection(
    toKafkaAddress(kafka, 'forger'),
    pino({ level: 'silent' }),
  );
  const messages = [event, fence].map((value) => ({
    key: 'user',
    value,
    headers: codes?.headersOf(place, { value, seals: true }) ?? {},
  }));
  await createAppendMessages(connection)(directory, 0, messages);
  await connection.close();
}

it('forged entries without a valid code are ignored and reported by every process', async () => {
  await forge(undefined);
  await forge(createEntryCodes('ab'.repeat(32)));

  // The log continues after them, and a write to the directory makes every process read them.
  const made = recordIn(await admin.post('/Team', { name: 'Behind' }));
  expect((await admin.get(`/Team/${made.id}`)).status).toBe(200);
  expect(recordIn(await api.post('/Account', anAccount())).id).toBeTruthy();
  expect(recordIn(await admin.get('/User/user'))).toMatchObject({ type: 'regular' });
  const user = api.as(withPassword(product.access().user));
  expect((await user.post('/User', { userName: 'x', lastName: 'x' })).status).toBe(403);

  const annals = (...args: readonly string[]) =>
    runCli([...args, '--data-dir', product.dataDir], { ANNALS_TOPIC_PREFIX: topicPrefix });
  await eventually(async () => {
    const { stdout } = await annals('rejected', 'list', '--json');
    const reasons = JSON.parse(stdout).list.map(({ reason }: { reason: string }) => reason);
    expect(reasons.toSorted()).toEqual([
      ...Array(2).fill(expect.stringContaining('a wrong authentication code')),
      ...Array(2).fill(expect.stringContaining('no authentication code')),
    ]);
  });
  const doctor = await annals('doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain('no process of this installation wrote it');
  expect(JSON.parse((await annals('verify', '--json')).stdout)).toMatchObject({ differences: 0 });
});
