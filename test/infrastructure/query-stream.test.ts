import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildActor } from '../../shared/domain/access/actor.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { firstIdOf, numberAt } from '../../shared/domain/stream/stream-number.ts';
import type { AttributeValues } from '../../shared/domain/value/attribute-values.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeHistory } from './query-history-example.ts';

let example: QueryExample;
const noTotal = { 'x-no-total': 'true' };

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
});
afterAll(async () => example.close());

interface Item {
  readonly id: string;
  readonly type: string;
  readonly number: number;
  readonly post: string | null;
  readonly parentId: string;
}

const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const { status, body } = await example.get(path, headers);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { readonly total: number; readonly list: readonly Item[] };
};

/** Adds a user with full access to accounts, whom requests name in `x-actor`. */
function admitUser(id: string, role: AttributeValues = {}): Readonly<Record<string, string>> {
  const values = { data: { Account: { read: 'all' } }, ...role };
  const roleState = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  example.addActor(
    buildActor({ id, name: id, userName: id, type: 'api', teamIds: ['team'] }, [roleState]),
  );
  return { 'x-actor': id };
}

/** Returns the events of an account with this number of versions, one second apart. */
function aLongLife(versions: number, values: AttributeValues = {}): readonly RecordEvent[] {
  const events = [aCreation('Account', { name: 'Old', ...values })];
  for (let version = 2; version <= versions; version++) {
    const [last] = events.slice(-1);
    if (last !== undefined) events.push(anUpdateAfter(last, { sicCode: `${version}` }));
  }
  return events;
}

const start = Date.UTC(2030, 0, 2, 3, 4, 5);

async function storePost(
  parentId: string,
  ms: number,
  values: AttributeValues = {},
): Promise<string> {
  const id = firstIdOf(numberAt(ms));
  const createdAt = new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const parent = { parentType: 'Account', parentId };
  await example.store('Note', {
    id,
    type: 'Post',
    post: `at ${ms}`,
    createdAt,
    ...parent,
    ...values,
  });
  return id;
}

async function follow(userId: string, entityId: string, isFollowed = true): Promise<void> {
  const id = `${entityId}.${userId}.Account`;
  const entityType = 'Account';
  await example.store('StreamSubscription', { id, entityType, entityId, userId, isFollowed });
}

describe('the stream of a record', () => {
  it('contains posts and changes in order of time', async () => {
    const id = await storeHistory(example, aLongLife(3));
    const post = await storePost(id, start + 1_500);
    const { total, list } = await read(`/Account/${id}/stream`);

    expect(total).toBe(4);
    expect(list.map((item) => item.id)).toEqual([`${id}.3`, post, `${id}.2`, `${id}.1`]);
    const { number = 0 } = list[1] ?? {};
    expect(
      (await read(`/Account/${id}/stream?beforeNumber=${number}`)).list.map(({ type }) => type),
    ).toEqual(['Update', 'Create']);
    const after = encodeURIComponent('2030-01-02T03:04:05Z');
    expect((await read(`/Account/${id}/stream?after=${after}`)).total).toBe(3);
  });

  it('is complete and free of duplicates when read by beforeNumber', async () => {
    const versions = 230;
    const id = await storeHistory(example, aLongLife(versions));
    for (const second of [10, 100, 200]) await storePost(id, start + second * 1_000 + 500);
    for (const headers of [{}, noTotal]) {
      const seen: string[] = [];
      for (let query = 'maxSize=40'; query !== ''; ) {
        const { list } = await read(`/Account/${id}/stream?${query}`, headers);
        seen.push(...list.map((item) => item.id));
        const last = list.at(-1);
        query = last === undefined ? '' : `maxSize=40&beforeNumber=${last.number}`;
      }
      expect(seen).toHaveLength(versions + 3);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.at(-1)).toBe(`${id}.1`);
    }
  });

  it('can be paged without a total if it has very many versions', async () => {
    const versions = 1_003;
    const id = await storeHistory(example, aLongLife(versions));

    expect(await read(`/Account/${id}/stream?maxSize=5`)).toMatchObject({ total: -1 });
    const { total, list } = await read(`/Account/${id}/stream?maxSize=5&offset=${versions - 2}`);
    expect(total).toBe(-2);
    expect(list.map((item) => item.id)).toEqual([`${id}.2`, `${id}.1`]);
  });

  it('is rejected with 503 if an event is missing', async () => {
    const id = await storeHistory(example, aLongLife(3));
    await example.pool.query(
      'delete from annals.record_history where record_id = $1 and version = 2',
      [id],
    );
    expect((await example.get(`/Account/${id}/stream`)).status).toBe(503);
  });
});

describe('the feed of followed records', () => {
  it('contains exactly the changes and posts of all followed records in order of time', async () => {
    const me = admitUser('follower');
    const [one, two, other] = await Promise.all(
      [2, 3, 1].map(async (versions) =>
        storeHistory(
          example,
          aLongLife(versions, { modifiedAt: '2030-01-02 03:04:07', createdById: 'x' }),
        ),
      ),
    );
    await follow('follower', one ?? '');
    await follow('follower', two ?? '');
    await storePost(one ?? '', start + 60_000);
    await storePost(other ?? '', start + 61_000);
    const { total, list } = await read('/Stream', me);

    expect(total).toBe(-2);
    expect(list).toHaveLength(6);
    expect(list[0]).toMatchObject({ type: 'Post', parentId: one });
    expect(new Set(list.map(({ parentId }) => parentId))).toEqual(new Set([one, two]));
    const numbers = list.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((left, right) => right - left));
    expect((await read('/Stream?maxSize=2', me)).total).toBe(-1);
    expect((await read('/Stream?filter=posts', me)).list).toHaveLength(1);
    expect((await read('/Stream?filter=updates', me)).list).toHaveLength(5);
    const [, second] = list;
    expect((await read(`/Stream?beforeNumber=${second?.number}`, me)).list).toEqual(list.slice(2));
  });

  it('contains records created by or assigned to the user unless unfollowed', async () => {
    const me = admitUser('maker');
    const times = { modifiedAt: '2030-01-02 03:04:05' };
    const store = async (values: AttributeValues) =>
      storeHistory(example, aLongLife(1, { ...times, ...values }));
    const created = await store({ createdById: 'maker' });
    const assigned = await store({ createdById: 'x', assignedUserId: 'maker' });
    const declined = await store({ createdById: 'maker' });
    await follow('maker', declined, false);
    const { list } = await read('/Stream', me);

    expect(new Set(list.map(({ parentId }) => parentId))).toEqual(new Set([created, assigned]));
  });

  it('reads further back in records that changed very often', async () => {
    const me = admitUser('patient');
    const often = await storeHistory(
      example,
      aLongLife(130, { modifiedAt: '2030-01-02 03:06:14', createdById: 'x' }),
    );
    const seldom = await storeHistory(
      example,
      aLongLife(1, { modifiedAt: '2030-01-02 03:04:05', createdById: 'x' }),
    );
    for (const id of [often, seldom]) await follow('patient', id);
    const { list } = await read('/Stream?maxSize=200', me);

    expect(list).toHaveLength(131);
    expect(list.filter(({ parentId }) => parentId === often)).toHaveLength(130);
    expect((await read('/Stream?maxSize=10&offset=125', me)).list).toEqual(list.slice(125));
  });

  it('is limited to the level of the stream permission and empty without it', async () => {
    const none = admitUser('blind', { data: { Account: { read: 'all', stream: 'no' } } });
    const own = admitUser('owner', { data: { Account: { read: 'all', stream: 'own' } } });
    const team = admitUser('mate', { data: { Account: { read: 'team', stream: 'all' } } });
    const store = async (values: AttributeValues) => {
      const times = { modifiedAt: '2030-01-02 03:04:05', createdById: 'x' };
      const id = await storeHistory(example, aLongLife(1, { ...times, ...values }));
      for (const user of ['blind', 'owner', 'mate']) await follow(user, id);
      return id;
    };
    const foreign = await store({});
    const owned = await store({ assignedUserId: 'owner' });
    const shared = await store({ teamsIds: ['team'] });
    const parents = async (headers: Readonly<Record<string, string>>) =>
      (await read('/Stream', headers)).list.map(({ parentId }) => parentId);

    expect(await parents(none)).toEqual([]);
    expect(await parents(own)).toEqual([owned]);
    expect(await parents(team)).toEqual([shared]);
    expect((await example.get(`/Account/${foreign}/stream`, own)).status).toBe(403);
    expect((await example.get(`/Account/${foreign}/stream`, team)).status).toBe(403);
    expect((await example.get(`/Account/${shared}/stream`, team)).status).toBe(200);
  });
});

describe('a filter by following', () => {
  it('matches only records that the caller follows', async () => {
    const me = admitUser('lister');
    const ids = await Promise.all(
      [1, 2].map(async () => storeHistory(example, aLongLife(1, { createdById: 'x' }))),
    );
    await follow('lister', ids[0] ?? '');
    await follow('somebody', ids[1] ?? '');
    const { body } = await example.get('/Account?primaryFilter=followed', me);

    expect(body.list.map(({ id }: Item) => id)).toEqual([ids[0]]);
    expect((await example.get('/Account?primaryFilter=starred', me)).body.total).toBe(0);
    expect((await example.get(`/Account/${ids[0]}`, me)).body).toMatchObject({
      isFollowed: true,
      followersIds: ['x', 'lister'],
    });
  });
});
