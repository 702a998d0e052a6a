import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

const prefix = `test-${randomBytes(4).toString('hex')}`;
let product: StartedProduct;

/** On a log that was created by a version without authentication codes. */
beforeAll(async () => {
  const log = pino({ level: 'silent' });
  const topics = topicNames(prefix);
  const kafka = toKafkaAddress(inject('kafka'), 'test');
  await ensureTopics(kafka, topics, { recordPartitions: 4 }, log);
  const connection = createKafkaConnection(kafka, log);
  await createAppendMessages(connection)(topics.records, 0, [
    { key: 'a', value: Buffer.from('a') },
  ]);
  await connection.close();
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: prefix } });
});

afterAll(async () => product?.remove());

const annals = (...line: readonly string[]) =>
  runCli([...line, '--data-dir', product.dataDir], { ANNALS_TOPIC_PREFIX: prefix });

it('topics seal seals every partition, including partitions without new writes', async () => {
  const before = await annals('doctor');
  expect(before.stdout).toContain('takes entries without an authentication code');
  const sealed = await annals('topics', 'seal', '--yes');
  expect(sealed).toEqual({
    code: 0,
    stdout: 'Every partition of the log is sealed.\n',
    stderr: '',
  });
  const after = await annals('doctor');
  expect(after.stdout).not.toContain('without an authentication code');
});
