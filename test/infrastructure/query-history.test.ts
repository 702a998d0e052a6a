import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { encodeEvent } from '../../shared/events/log-entry-codec.ts';
import { aCreation, aDeletionAfter } from '../support/builders/record-event-builder.ts';
import { type QueryExample, secrets, startQueryExample } from './query-example.ts';
import { lifeOfAnAccount, storeHistory } from './query-history-example.ts';

let example: QueryExample;
const get: QueryExample['get'] = async (...question) => example.get(...question);
const store = async (events: readonly RecordEvent[]) => storeHistory(example, events);
const api = { 'x-actor': 'api' };

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  example.addToDirectory('User', 'admin', { userName: 'admin', name: 'Admin' });
  example.addToDirectory('User', 'u1', { userName: 'ann', name: 'Ann' });
});
afterAll(async () => example.close());

describe('a history', () => {
  it('lists every version, newest first', async () => {
    const id = await store(lifeOfAnAccount());
    const { status, body } = await get(`/accounts/${id}/history`, api);

    expect(status).toBe(200);
    expect(body).toEqual({
      total: 3,
      list: [
        {
          version: 3,
          type: 'updated',
          at: '2030-01-02 03:04:07',
          byId: 'user',
          byName: null,
          changes: [
            { attribute: 'assignedUserId', before: null, after: 'u1' },
            { attribute: 'assignedUserName', before: null, after: 'Ann, then' },
            { attribute: 'billingAddressLatitude', before: null, after: 52.5 },
          ],
        },
        {
          version: 2,
          type: 'updated',
          at: '2030-01-02 03:04:06',
          byId: 'user',
          byName: null,
          changes: [{ attribute: 'name', before: 'One', after: 'Two' }],
        },
        {
          version: 1,
          type: 'created',
          at: '2030-01-02 03:04:05',
          byId: 'admin',
          byName: 'Admin',
          changes: [{ attribute: 'name', before: null, after: 'One' }],
        },
      ],
    });
  });

  it.each([
    ['', [3, 2, 1]],
    ['?order=asc', [1, 2, 3]],
    ['?maxSize=2', [3, 2]],
    ['?maxSize=2&offset=2', [1]],
    ['?order=asc&offset=1&maxSize=1', [2]],
    ['?offset=9007199254740991', []],
    ['?order=asc&offset=9007199254740991', []],
    ['?maxSize=0', []],
    ['?somethingElse=1&order=', [3, 2, 1]],
  ])('returns the page requested by the query %s', async (query, versions) => {
    const id = await store(lifeOfAnAccount());
    const { body } = await get(`/Account/${id}/history${query}`);

    expect(body.total).toBe(3);
    expect(body.list.map(({ version }: { version: number }) => version)).toEqual(versions);
  });

  it.each([
    ['maxSize=201', 403, 'list.too_large'],
    ['offset=-1', 400, 'parameter.invalid'],
    ['order=newest', 400, 'parameter.invalid'],
    ['where[0][type]=equals', 400, 'parameter.unsupported'],
    ['asOf=2030-01-01%2000:00:00', 400, 'parameter.unsupported'],
  ])('is rejected with %s', async (query, status, code) => {
    expect(await get(`/Account/x/history?${query}`)).toMatchObject({ status, body: { code } });
  });

  it('requires read access, or an administrator if the record is deleted', async () => {
    const events = lifeOfAnAccount();
    const gone = await store([...events, aDeletionAfter(events[2] ?? aCreation('Account', {}))]);

    expect(await get(`/Account/${gone}/history`, api)).toMatchObject({ status: 404 });
    expect(await get(`/Account/${gone}/history?maxSize=1`)).toMatchObject({
      status: 200,
      body: { total: 4, list: [{ version: 4, type: 'deleted', changes: [] }] },
    });
    expect(await get('/Account/x/history', { 'x-actor': 'narrow' })).toMatchObject({ status: 403 });
    expect(await get('/Role/x/history', api)).toMatchObject({ status: 403 });
    expect(await get('/Account/missing/history')).toMatchObject({
      status: 404,
      body: { code: 'record.not_found' },
    });
    expect((await get('/Account/%00/history')).status).toBe(404);
  });

  it('never contains secrets or internal attributes', async () => {
    const secretKey = secrets.seal('hook secret');
    const hook = { event: 'Account.create', url: 'https://x.example', userId: 'api', secretKey };
    const hookId = await store([aCreation('Webhook', hook)]);
    const user = { userName: 'eve', passwordHash: 'p', apiKey: 'k', apiKeyHash: 'h' };
    const userId = await store([aCreation('User', user)]);
    await example.pool.query(`update annals.record_history set event = $1 where record_id = $2`, [
      encodeEvent({
        ...aCreation('Webhook', { ...hook, activity: [{ from: ['0'] }] }, { recordId: hookId }),
        token: 't',
        sequence: 1,
      }),
      hookId,
    ]);
    const attributes = async (path: string, headers = {}) =>
      (await get(`${path}/history`, headers)).body.list[0].changes.map(
        ({ attribute }: { attribute: string }) => attribute,
      );

    expect(await attributes(`/Webhook/${hookId}`)).toEqual(['event', 'url', 'userId']);
    expect(await attributes(`/Webhook/${hookId}`, api)).toEqual(['event', 'url']);
    expect(await attributes(`/User/${userId}`)).toEqual(['userName']);
    const others = await store([aCreation('Webhook', { ...hook, userId: 'other' })]);
    expect((await get(`/Webhook/${others}/history`, api)).status).toBe(403);
  });

  it('is rejected with 503 if an event is missing', async () => {
    const id = await store(lifeOfAnAccount());
    await example.pool.query(
      'delete from annals.record_history where record_id = $1 and version = 2',
      [id],
    );

    expect((await get(`/Account/${id}/history`)).status).toBe(503);
    expect((await get(`/Account/${id}/history?maxSize=1`)).status).toBe(200);
    expect((await get(`/Account/${id}?asOf=2040-01-01%2000:00:00`)).status).toBe(503);
  });
});
