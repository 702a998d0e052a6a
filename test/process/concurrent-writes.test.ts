import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { aCase, anAccount, unique } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';

const topicPrefix = `concurrent-${process.pid}`;
const topics = topicNames(topicPrefix);

let product: StartedProduct;
let api: ApiClient;
let log: LogReader;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: topicPrefix } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  log = createLogReader(product.access().kafka);
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await product?.remove();
});

const many = Array.from({ length: 50 }, (_, index) => index);

const versionsOf = async (recordId: string) =>
  (await log.events(topics.records))
    .filter((event) => event.recordId === recordId)
    .map(({ version }) => version);

describe('concurrent writes to one record', () => {
  it('all take effect in sequence', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const descriptions = many.map((index) => unique(`Change ${index}`));
    const answers = await Promise.all(
      descriptions.map(async (description) => api.patch(`/Account/${id}`, { description })),
    );

    const records = answers.map(recordIn);
    expect(records.map(({ description }) => description)).toEqual(descriptions);
    const versions = records.map(({ versionNumber }) => Number(versionNumber));
    expect(versions.toSorted((one, other) => one - other)).toEqual(many.map((index) => index + 2));
    expect(await versionsOf(id)).toEqual([...many, 50].map((index) => index + 1));
    const last = records.find(({ versionNumber }) => versionNumber === 51);
    expect(recordIn(await api.get(`/Account/${id}`))).toEqual(last);
  });

  it('do not overwrite each other if they change different attributes', async () => {
    const { hmac, user, admin } = product.access();
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const changes = { sicCode: '1', type: 'Partner', description: 'x', billingAddressCity: 'Bonn' };
    const callers = [
      api,
      api.as(withHmacHex(hmac)),
      api.as(withPassword(user)),
      api.as(withPassword(admin)),
    ];
    await Promise.all(
      Object.entries(changes).map(async ([attribute, value], index) =>
        callers[index]?.put(`/Account/${id}`, { [attribute]: value }),
      ),
    );

    expect(recordIn(await api.get(`/Account/${id}`))).toMatchObject(changes);
    expect(await versionsOf(id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('change the record once if they set the same value', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const answers = await Promise.all(
      many.map(async () => api.put(`/Account/${id}`, { type: 'Partner' })),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await versionsOf(id)).toEqual([1, 2]);
  });

  it('delete it exactly once and return 404 for all other deletions', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const answers = await Promise.all(many.map(async () => api.delete(`/Account/${id}`)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(many.length - 1);
    expect(await versionsOf(id)).toEqual([1, 2]);
  });
});

describe('case numbers', () => {
  const createCases = async () => {
    const answers = await Promise.all(many.map(async () => api.post('/Case', aCase())));
    return answers.map((answer) => Number(recordIn(answer)['number']));
  };

  it('are unique among cases that are created at the same time', async () => {
    const numbers = await createCases();

    expect(numbers.toSorted((one, other) => one - other)).toEqual(many.map((index) => index + 1));
  });

  it('do not restart after a crash of the api', async () => {
    const before = await createCases();
    product.kill('api');
    await product.waitUntilReady('api');
    const after = await createCases();

    expect(new Set([...before, ...after]).size).toBe(2 * many.length);
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before));
  });
});
