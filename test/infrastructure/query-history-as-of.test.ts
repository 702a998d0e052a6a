import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
  aRestorationAfter,
} from '../support/builders/record-event-builder.ts';
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
});
afterAll(async () => example.close());

describe('a read as of a time', () => {
  const at = async (id: string, time: string, headers = {}) =>
    get(`/Account/${id}?asOf=${encodeURIComponent(time)}`, headers);

  it('returns the version of that time in the form of a single read', async () => {
    const id = await store(lifeOfAnAccount());
    const second = await at(id, '2030-01-02T05:04:06.500+02:00');

    expect(second.headers['etag']).toBe('"v2"');
    expect(second.body).toMatchObject({
      id,
      name: 'Two',
      deleted: false,
      assignedUserId: null,
      assignedUserName: null,
      contactIsInactive: false,
      teamsIds: [],
      teamsNames: {},
      createdAt: '2030-01-02 03:04:05',
      createdByName: 'Admin',
      modifiedAt: '2030-01-02 03:04:06',
      versionNumber: 2,
    });
    const present = await get(`/Account/${id}`);
    // Followers are returned for the present only.
    const ofNow = ['isStarred', 'followersIds', 'followersNames'];
    expect([...Object.keys(second.body), ...ofNow]).toEqual(Object.keys(present.body));
    expect((await at(id, '2099-01-01 00:00:00')).body).toMatchObject({
      assignedUserName: 'Ann, then',
      versionNumber: 3,
    });
  });

  it('includes all events of a second that is given without a fraction', async () => {
    const created = aCreation(
      'Account',
      { name: 'One' },
      { occurredAt: Date.UTC(2030, 0, 1, 0, 0, 0, 700) },
    );
    const id = await store([created]);

    expect((await at(id, '2030-01-01 00:00:00')).status).toBe(200);
    expect((await at(id, '2030-01-01T00:00:00Z')).status).toBe(200);
    expect((await at(id, '2030-01-01T00:00:00.700Z')).status).toBe(200);
    expect((await at(id, '2030-01-01T00:00:00.699Z')).status).toBe(404);
    expect((await at(id, '2029-12-31 23:59:59')).status).toBe(404);
    // A date means its midnight, as for the operators' commands.
    expect((await at(id, '2030-01-01')).status).toBe(200);
    expect((await at(id, '2029-12-31')).status).toBe(404);
    expect((await at(id, '2030-01-01T00:00Z')).status).toBe(200);
  });

  it('never skips a version, even if the clocks of writers differ', async () => {
    const created = aCreation('Account', { name: 'One' });
    const ahead = anUpdateAfter(
      created,
      { name: 'Two' },
      { occurredAt: created.occurredAt + 9_000 },
    );
    const behind = anUpdateAfter(
      ahead,
      { website: 'x' },
      { occurredAt: created.occurredAt + 1_000 },
    );
    const id = await store([created, ahead, behind]);

    expect((await at(id, '2030-01-02 03:04:08')).body).toMatchObject({
      name: 'One',
      website: null,
    });
    expect((await at(id, '2030-01-02 03:04:14')).body).toMatchObject({ name: 'Two', website: 'x' });
  });

  it('handles records with hundreds of versions', async () => {
    const events = [aCreation('Account', { name: '0' })];
    for (let count = 1; count < 250; count += 1) {
      events.push(anUpdateAfter(events.at(-1) ?? aCreation('Account', {}), { name: `${count}` }));
    }
    const id = await store(events);

    expect((await at(id, '2030-01-02 03:07:25')).body).toMatchObject({ name: '200' });
    expect((await at(id, '2031-01-01 00:00:00')).body).toMatchObject({ name: '249' });
  });

  it('returns a deleted record only to administrators and only before its deletion', async () => {
    const created = aCreation('Account', { name: 'Gone' });
    const id = await store([created, aDeletionAfter(created)]);

    expect((await at(id, '2030-01-02 03:04:05')).body).toMatchObject({
      name: 'Gone',
      deleted: false,
    });
    expect((await at(id, '2030-01-02 03:04:06')).status).toBe(404);
    expect((await at(id, '2030-01-02 03:04:05', api)).status).toBe(404);
    expect((await at(id, '2030-01-02 03:04:05', { 'x-actor': 'narrow' })).status).toBe(403);
  });

  it('returns 404 during a deletion and the record after its restoration', async () => {
    const created = aCreation('Account', { name: 'Back' });
    const deletion = aDeletionAfter(created);
    const id = await store([created, deletion, aRestorationAfter(deletion)]);

    expect((await at(id, '2030-01-02 03:04:06')).status).toBe(404);
    expect((await at(id, '2030-01-02 03:04:07')).body).toMatchObject({
      name: 'Back',
      deleted: false,
    });
  });

  it('shows as much of a webhook and a user as a current read', async () => {
    const secretKey = secrets.seal('hook secret');
    const hook = { event: 'Account.create', url: 'https://x.example', userId: 'api', secretKey };
    const hookId = await store([aCreation('Webhook', hook)]);
    const userId = await store([
      aCreation('User', { userName: 'eve', passwordHash: 'p', apiKey: secrets.seal('k') }),
    ]);
    const asOf = 'asOf=2030-01-02%2003:04:05';

    for (const headers of [api, {}]) {
      const now = (await get(`/Webhook/${hookId}`, headers)).body;
      const then = (await get(`/Webhook/${hookId}?${asOf}`, headers)).body;
      expect(Object.keys(then).toSorted()).toEqual(Object.keys(now).toSorted());
      expect(then.secretKey).toBe('hook secret');
    }
    const user = await get(`/User/${userId}?${asOf}`);
    expect(user).toMatchObject({ status: 200, body: { apiKey: 'k', secretKey: null } });
    const shown = Object.keys((await get(`/User/${userId}`)).body);
    expect(Object.keys(user.body).toSorted()).toEqual(shown.toSorted());
    expect(shown.filter((name) => /hash/i.test(name))).toEqual([]);
    const others = await store([aCreation('Webhook', { ...hook, userId: 'other' })]);
    expect((await get(`/Webhook/${others}?${asOf}`, api)).status).toBe(403);
  });

  it.each([
    'asOf=yesterday',
    'asOf=',
    'asOf=2030-02-31',
    'asOf=2030-01-02T03:04',
    'asOf[]=x',
    `asOf=a&asOf=b`,
  ])('is rejected with %s', async (query) => {
    const answer = await get(`/Account/x?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'parameter.invalid' } });
    expect(answer.reason).toMatch(/^asOf /);
  });

  it('is not supported by lists', async () => {
    expect(await get('/Account?asOf=2030-01-02%2003:04:05')).toMatchObject({
      status: 400,
      body: { code: 'parameter.unsupported' },
    });
  });
});
