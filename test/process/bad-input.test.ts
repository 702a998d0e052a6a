import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { badBodies } from '../support/bad-input/bad-bodies.ts';
import { badLists, badPaths } from '../support/bad-input/bad-paths.ts';
import type { BadRequest } from '../support/bad-input/bad-request.ts';
import { badLinks, badValues } from '../support/bad-input/bad-values.ts';
import { badWebhooks } from '../support/bad-input/bad-webhooks.ts';
import { randomRequest } from '../support/bad-input/random-request.ts';
import { expectRefusal, sendBadRequest } from '../support/bad-input/send-bad-request.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { aCreation } from '../support/builders/record-event-builder.ts';
import { anonymous, withHmacHex, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { appendAsAnotherWriter } from '../support/log/append-as-another-writer.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { codesOf } from '../support/log/test-codes.ts';
import { withoutFollowing } from '../support/proofs/without-following.ts';

const topics = topicNames(`bad-input-${process.pid}`);

let product: StartedProduct;
let api: ApiClient;
let log: LogReader;
let headers: Readonly<Record<string, string>>;
let account: Readonly<Record<string, unknown>> & { readonly id: string };
let eventsBefore: number;

const countEvents = async () =>
  (await log.events(topics.records)).length + (await log.events(topics.directory)).length;

const countCreations = async () =>
  [...(await log.events(topics.records)), ...(await log.events(topics.directory))].filter(
    ({ type, entityType }) => type === 'Created' && entityType !== 'Setting',
  ).length;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: `bad-input-${process.pid}` } });
  const { kafka, apiKey } = product.access();
  log = createLogReader(kafka);
  api = createApiClient(product.url, anonymous);
  headers = { 'X-Api-Key': apiKey.apiKey };
  const fields = { dueOn: { type: 'date' }, callAt: { type: 'datetime' } };
  await appendAsAnotherWriter(kafka, { topic: topics.directory, codes: codesOf(product) }, [
    aCreation(entityDefinitionType, { fields }, { recordId: 'Lead' }),
  ]);
  account = recordIn(await api.post('/Account', anAccount(), headers));
  eventsBefore = await countEvents();
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await product?.remove();
});

// If one request crashes the api, the remaining checks can still report their results.
beforeEach(async () => product.waitUntilReady('api'));

const send = async (request: BadRequest) =>
  sendBadRequest(request, { api, headers, accountId: account.id });

describe('the message for a bad request', () => {
  it.each([...badBodies, ...badPaths, ...badLists, ...badLinks])(
    'names the problem for $name with status $status',
    async (request) => {
      const answer = await send(request);

      expect(expectRefusal(answer, request.status).message).toMatch(request.messagePattern);
    },
  );

  it.each(badWebhooks)('names the problem for a webhook $name', async (request) => {
    const answer = await send(request);

    expectRefusal(answer, request.status);
    expect(answer.text).toMatch(request.messagePattern);
  });

  it.each(badValues)('names the problem for a record with $name', async (request) => {
    const answer = await send(request);

    expectRefusal(answer, request.status);
    const [first] = request.errors;
    const { message, errors } = Object(answer.body);
    expect(message).toBe(errors[0].message);
    expect(answer.body).toMatchObject({
      messageTranslation: {
        label: 'validationFailure',
        scope: null,
        data: { field: first?.[0], type: first?.[1] },
      },
      errors: request.errors.map(([field, type]) => ({
        field,
        type,
        message: expect.stringMatching(/./),
      })),
    });
    expect(answer.headers['x-status-reason']).toBe(
      `Field validation failure; entityType: ${entityTypeOf(request)}, field: ${first?.[0]}, type: ${first?.[1]}.`,
    );
  });
});

function entityTypeOf({ path }: BadRequest): string {
  return path.split('/')[1] ?? '';
}

describe('an error response', () => {
  it('is an RFC 9457 problem for clients that accept this format', async () => {
    const answer = await api.get('/Nonsense', { ...headers, Accept: 'application/problem+json' });

    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      type: expect.stringMatching(/./),
      title: 'Not Found',
      status: 404,
      detail: expect.stringContaining('Nonsense'),
    });
  });

  it('lists the allowed methods if the method is not allowed', async () => {
    const answer = await api.send({ method: 'DELETE', target: '/api/v1/Account', headers });

    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(', ')).toEqual(expect.arrayContaining(['GET', 'POST']));
  });

  it('is not returned for unknown keys in a body, including __proto__', async () => {
    const body = '{"__proto__":{"sicCode":"6"},"constructor":{"prototype":{}},"toString":"x"}';
    const answer = await api.put(`/Account/${account.id}`, body, headers);

    expect(recordIn(answer)).toEqual(account);
    expect(expectRefusal(await api.post('/Account', body, headers), 400).message).toMatch(/name/);
  });
});

describe('rejected requests with bad input', () => {
  it('write nothing to the log and change nothing', async () => {
    expect(await countEvents()).toBe(eventsBefore);
    expect(recordIn(await api.get(`/Account/${account.id}`, headers))).toEqual(account);
  });

  it('crash no service', () => {
    expect(product.output()).not.toMatch(/is being started again/);
  });
});

describe('the API', () => {
  const send = async (method: string, target: string, body?: string | Buffer) =>
    api.send({ method, target, headers: { ...headers, 'Content-Type': 'application/json' }, body });

  it.each([
    ['Contact', 'contact', 'contacts'],
    ['Account', 'account', 'accounts'],
    ['Case', 'case', 'cases'],
    ['Lead', 'lead', 'leads'],
    ['Webhook', 'webhook', 'webhooks'],
  ])('treats %s, %s and %s as the same entity type', async (...segments) => {
    const answers = await Promise.all(segments.map(async (name) => send('GET', `/api/v1/${name}`)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it.each([
    '//api/v1/Account',
    '/api/v1/Account/',
    '//api//v1//Account//?maxSize=200',
    '/api/v1//account/',
  ])('returns the accounts for the path %s', async (target) => {
    expect((await send('GET', target)).body).toMatchObject({ list: [{ id: account.id }] });
  });

  it('finds a record despite doubled slashes if the signature covers the sent path', async () => {
    const { hmac } = product.access();
    const path = `//Account//${account.id}/`;
    const signed = { ...withHmacHex(hmac)('GET', path) };
    const answer = await api.send({ method: 'GET', target: `/api/v1${path}`, headers: signed });

    expect(withoutFollowing(recordIn(answer))).toEqual(withoutFollowing(account));
  });

  it('responds to every successful request with exactly the content type application/json', async () => {
    const created = await send('POST', '/api/v1/Account', JSON.stringify(anAccount()));
    const { id } = recordIn(created);
    const answers = [
      created,
      await send('GET', '/api/v1/Account'),
      await send('GET', `/api/v1/Account/${id}`),
      await send('PUT', `/api/v1/Account/${id}`, '{"type":"Partner"}'),
      await send('PATCH', `/api/v1/Account/${id}`, '{"type":null}'),
      // With a content type and without a body.
      await send('DELETE', `/api/v1/Account/${id}`),
    ];

    for (const { status, headers: answered } of answers) {
      expect(status).toBe(200);
      expect(answered['content-type']).toBe('application/json');
    }
  });

  it('accepts a POST with a content type and without a body', async () => {
    const { admin } = product.access();
    const target = '/api/v1/Webhook/action/processQueue';
    const own = { ...withPassword(admin)('', ''), 'Content-Type': 'application/json' };

    expect((await api.send({ method: 'POST', target, headers: own })).text).toBe('true');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
    'accepts a body of type %s',
    async (type) => {
      const body = JSON.stringify(anAccount());
      const answer = await api.send({
        method: 'POST',
        target: '/api/v1/Account',
        headers: { ...headers, 'Content-Type': type },
        body,
      });

      expect(answer.status).toBe(200);
    },
  );

  it('accepts names and bodies of exactly the maximum length', async () => {
    const name = 'n'.repeat(249);
    const body = Buffer.alloc(1024 * 1024, ' ');
    body.write(JSON.stringify(anAccount({ name })));

    expect(recordIn(await send('POST', '/api/v1/Account', body))).toMatchObject({ name });
  });

  it.each([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 53, 1e308, 5e-324, 0.1])(
    'accepts the number %d and returns the same number',
    async (scoreCust) => {
      const created = recordIn(
        await send('POST', '/api/v1/Account', JSON.stringify(anAccount({ scoreCust }))),
      );

      expect(created['scoreCust']).toBe(scoreCust);
      const read = recordIn(await send('GET', `/api/v1/Account/${created.id}`));
      expect(read['scoreCust']).toBe(scoreCust);
    },
  );

  it('ignores empty and unknown query parameters', async () => {
    const query = 'orderBy=&order=&maxSize=&offset=&select=&returnTotal=true&nonsense[]=1';
    const answer = await send('GET', `/api/v1/Account?${query}`);

    expect(answer.status).toBe(200);
    expect((await send('GET', '/api/v1/Account?maxSize=0')).body).toMatchObject({ list: [] });
    const { body } = await send('GET', '/api/v1/Account?select=noSuch,name&maxSize=1');
    expect(body).toMatchObject({ list: [{ id: expect.any(String), name: expect.any(String) }] });
  });
});

describe('400 random requests', () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101);

  it(`cause no server error and change nothing when rejected (seed ${seed})`, async () => {
    const random = createRandomSource(seed);
    const before = await countCreations();
    const accepted: string[] = [];
    for (let count = 0; count < 400; count += 1) {
      const request = randomRequest(random, [account.id, 'user', 'nothing']);
      const answer = await api.send({ ...request, headers: { ...headers, ...request.headers } });
      const context = { request, status: answer.status, text: answer.text };
      expect(context).toMatchObject({ status: expect.toSatisfy((status) => status < 500) });
      if (answer.status < 400) accepted.push(request.method);
      else if (request.headers?.['Accept'] === undefined) {
        expectRefusal(answer, answer.status, request.method);
      }
    }

    const creations = (await countCreations()) - before;
    expect(creations).toBe(accepted.filter((method) => method === 'POST').length);
    expect(creations).toBeGreaterThan(0);
    expect(product.output()).not.toMatch(/is being started again/);
  });
});
