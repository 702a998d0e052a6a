import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

let product: StartedProduct;
let subscriber: Subscriber;
let api: ApiClient;
let admin: ApiClient;
const topicPrefix = `stream-${process.pid}-${Date.now()}`;

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      API_CUSTOM_PREFIX: 'taken',
      ANNALS_TOPIC_PREFIX: topicPrefix,
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

/** Creates an API user with its own role. */
async function makeUser(data: object, more: object = {}, teamsIds: readonly string[] = []) {
  const name = `user-${unique('x').replace(' ', '-')}`.toLowerCase();
  const role = recordIn(await admin.post('/Role', { name, data, ...more }));
  const user = recordIn(
    await admin.post('/User', { userName: name, type: 'api', rolesIds: [role.id], teamsIds }),
  );
  return { id: user.id, client: api.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

const makeAccount = async (client: ApiClient = api, changes: object = {}) =>
  recordIn(await client.post('/Account', { name: unique('Streamed'), ...changes }));

const makeCase = async (client: ApiClient = api, changes: object = {}) =>
  recordIn(await client.post('/Case', { name: unique('Streamed'), ...changes }));

const postUnder = async (client: ApiClient, parentType: string, parentId: string, post: string) =>
  client.post('/Note', { type: 'Post', parentType, parentId, post, attachmentsIds: [] });

const typesIn = (answer: ApiAnswer) => listIn(answer).list.map(({ type }) => type);

describe('the stream of a record', () => {
  it('lists its creation, changes, assignments, links and posts, newest first', async () => {
    const contact = recordIn(await api.post('/Contact', { lastName: unique('Linked') }));
    const { id, name } = await makeCase(api, { assignedUserId: 'user' });
    await api.put(`/Case/${id}`, { status: 'Pending', priority: 'High' });
    await api.put(`/Case/${id}`, { assignedUserId: 'admin' });
    await api.post(`/Case/${id}/contacts`, { id: contact.id });
    await api.delete(`/Case/${id}/contacts`);
    await postUnder(api, 'Case', id, 'Hello');
    const { total, list, ...others } = listIn(await api.get(`/Case/${id}/stream`));

    expect(total).toBe(6);
    expect(others).toEqual({ pinnedList: [] });
    const types = ['Post', 'Relate', 'Update', 'Assign', 'Update', 'Create'];
    expect(list.map(({ type }) => type)).toEqual(types);
    expect(list[0]).toMatchObject({ post: 'Hello', createdById: 'api-key', parentName: name });
    expect(list[1]).toMatchObject({ relatedType: 'Contact', relatedId: contact.id });
    // The first contact becomes the primary one.
    expect(list[2]?.['data']).toMatchObject({ fields: ['contact'] });
    expect(list[3]?.['data']).toMatchObject({ assignedUserId: 'admin' });
    expect(list[4]?.['data']).toEqual({
      fields: ['status', 'priority'],
      attributes: {
        was: { status: 'New', priority: 'Normal' },
        became: { status: 'Pending', priority: 'High' },
      },
    });
    expect(list[5]).toMatchObject({
      data: { assignedUserId: 'user', statusField: 'status', statusValue: 'New' },
      parentType: 'Case',
      parentId: id,
    });
    const numbers = list.map(({ number }) => Number(number));
    expect(numbers).toEqual(numbers.toSorted((left, right) => right - left));
  });

  it('supports paging and filters', async () => {
    const { id } = await makeAccount();
    for (const sicCode of ['1', '2', '3']) await admin.put(`/Account/${id}`, { sicCode });
    for (const post of ['a', 'b']) await postUnder(api, 'Account', id, post);
    const stream = async (query: string, headers = {}) =>
      listIn(await api.get(`/Account/${id}/stream?${query}`, headers));
    const whole = await stream('');

    expect(whole.total).toBe(6);
    expect((await stream('filter=posts')).list.map(({ post }) => post)).toEqual(['b', 'a']);
    expect(listIn(await api.get(`/Account/${id}/posts`)).total).toBe(2);
    expect(listIn(await api.get(`/Account/${id}/updateStream`)).total).toBe(4);
    expect((await stream('skipOwn=true')).list.map(({ type }) => type)).toEqual(
      Array.from({ length: 3 }, () => 'Update'),
    );
    expect((await stream('skipOwn=true')).total).toBe(3);
    expect((await stream('maxSize=2&offset=1')).list).toEqual(whole.list.slice(1, 3));
    expect(await stream('maxSize=2', { 'X-No-Total': 'true' })).toMatchObject({ total: -1 });
    expect(await stream('offset=4', { 'X-No-Total': 'true' })).toMatchObject({ total: -2 });
    for (const [index, { number }] of whole.list.entries()) {
      const rest = await stream(`beforeNumber=${number}`);
      expect(rest).toMatchObject({ total: 5 - index, list: whole.list.slice(index + 1) });
    }
    expect((await stream('after=2000-01-01%2000:00:00')).total).toBe(6);
    expect((await stream('after=2100-01-01T00:00:00Z')).total).toBe(0);
  });

  it.each([
    ['filter=some', 400],
    ['after=yesterday', 400],
    ['beforeNumber=-1', 400],
    ['beforeNumber=x', 400],
    ['skipOwn=perhaps', 400],
    ['maxSize=201', 403],
    ['offset=4900', 400],
    ['textFilter=x', 400],
  ])('is rejected with %s', async (query, status) => {
    const { id } = await makeAccount();
    for (const path of [`/Account/${id}/stream`, '/Stream']) {
      const answer = await api.get(`${path}?${query}`);
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('message')]);
    }
  });

  it('exists only for existing records of entity types with streams', async () => {
    expect((await api.get('/Account/nothing/stream')).status).toBe(404);
    expect((await admin.get('/Role/role-full-access/stream')).status).toBe(404);
    expect((await api.get('/StreamSubscription')).status).toBe(404);
    expect((await api.put('/User/user/subscription')).status).toBe(404);
    const name = `Streamed${Date.now()}`;
    await admin.post('/EntityManager/action/createEntity', { name, type: 'Base', stream: true });
    const { id } = recordIn(await admin.post(`/${name}`, { name: 'Custom' }));
    expect((await postUnder(admin, name, id, 'under a custom one')).status).toBe(200);
    expect(typesIn(await admin.get(`/${name}/${id}/stream`))).toEqual(['Post', 'Create']);
    expect((await admin.get(`/Metadata?key=scopes.${name}.stream`)).text).toBe('true');
    const bad = { name: `${name}x`, type: 'Base', stream: 'yes' };
    expect((await admin.post('/EntityManager/action/createEntity', bad)).status).toBe(400);
    const plain = { name: `${name}y`, type: 'Base' };
    await admin.post('/EntityManager/action/createEntity', plain);
    const other = recordIn(await admin.post(`/${plain.name}`, { name: 'Custom' }));
    expect((await admin.get(`/${plain.name}/${other.id}/stream`)).status).toBe(404);
    expect((await postUnder(admin, plain.name, other.id, 'x')).status).toBe(400);
  });
});

describe('links stored on other records', () => {
  const relationsOf = async (id: string, client: ApiClient = api) => {
    const { list } = listIn(await client.get(`/Account/${id}/stream`));
    return list.filter(({ relatedType }) => relatedType !== null);
  };

  it('are listed in the stream of the linked record', async () => {
    const { id } = await makeAccount();
    const lastName = unique('Linked');
    const contact = recordIn(await api.post('/Contact', { lastName, accountId: id })).id;
    const task = { name: 'Call', assignedUserId: 'user', parentType: 'Account', parentId: id };
    const { id: taskId } = recordIn(await api.post('/Task', task));
    await api.put(`/Contact/${contact}`, { accountsIds: [] });
    await api.post(`/Account/${id}/contacts`, { id: contact });
    await api.put(`/Contact/${contact}`, { description: 'Not of the account.' });
    const { total, list } = listIn(await api.get(`/Account/${id}/stream`));

    expect(total).toBe(5);
    expect(list.map(({ type, relatedId }) => [type, relatedId])).toEqual([
      ['Relate', contact],
      ['Unrelate', contact],
      ['CreateRelated', taskId],
      ['CreateRelated', contact],
      ['Create', null],
    ]);
    expect(list[2]).toMatchObject({
      relatedType: 'Task',
      relatedName: 'Call',
      data: { link: 'tasks' },
      parentType: 'Account',
      parentId: id,
    });
    expect(list[0]).toMatchObject({ relatedType: 'Contact', relatedName: lastName });
    const stream = async (query: string, headers = {}) =>
      listIn(await api.get(`/Account/${id}/stream?${query}`, headers));
    for (const [index, { number }] of list.entries()) {
      const rest = { list: list.slice(index + 1) };
      expect(await stream(`beforeNumber=${number}`)).toMatchObject({ total: 4 - index, ...rest });
      const uncounted = await stream(`beforeNumber=${number}`, { 'X-No-Total': 'true' });
      expect(uncounted).toMatchObject({ total: -2, ...rest });
    }
    expect((await stream('filter=posts')).total).toBe(0);
    await api.delete(`/Task/${taskId}`);
    expect((await relationsOf(id)).map(({ relatedId }) => relatedId)).not.toContain(taskId);
  });

  it('are visible to users who may read the other record and its link', async () => {
    const { id } = await makeAccount();
    const contact = { lastName: unique('Hidden'), accountId: id };
    await api.post('/Contact', contact);
    const reads = async (data: object, more: object = {}) => {
      const { client } = await makeUser({ Account: all, ...data }, more);
      return (await relationsOf(id, client)).length;
    };
    expect(await reads({ Contact: all })).toBe(1);
    expect(await reads({})).toBe(0);
    expect(await reads({ Contact: { create: 'yes', read: 'own' } })).toBe(0);
    const closed = { account: { read: 'no' }, accounts: { read: 'no' } };
    expect(await reads({ Contact: all }, { fieldData: { Contact: closed } })).toBe(0);
    const { client } = await makeUser({ Account: all, Contact: { create: 'yes', read: 'own' } });
    const stream = await client.get(`/Account/${id}/stream`);
    expect(stream.text).not.toContain(contact.lastName);
    expect(listIn(stream).total).toBe(1);
  });
});

describe('stream permissions', () => {
  it('are required to read, write or follow a stream', async () => {
    const { client } = await makeUser({ Account: { ...all, stream: 'no' } });
    const { id } = await makeAccount();
    const note = recordIn(await postUnder(api, 'Account', id, 'not for them'));
    const answers = [
      await client.get(`/Account/${id}/stream`),
      await client.get(`/Account/${id}/followers`),
      await postUnder(client, 'Account', id, 'mine'),
      await client.put(`/Account/${id}/subscription`),
      await client.put(`/Account/${id}/starSubscription`),
      await client.get(`/Note/${note.id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect((await client.get(`/Account/${id}`)).body).toMatchObject({
      isFollowed: false,
      followersIds: [],
    });
    expect(listIn(await client.get('/Note')).total).toBe(0);
    expect(listIn(await client.get('/Stream')).list).toEqual([]);
    expect(typesIn(await api.get(`/Account/${id}/stream`))).toEqual(['Post', 'Create']);
  });

  it('include the audit permission to list only the changes of a record', async () => {
    const { id } = await makeAccount();
    for (const [auditPermission, status] of [
      ['yes', 200],
      ['no', 403],
      ['not-set', 403],
    ] as const) {
      const { client } = await makeUser({ Account: all }, { auditPermission });
      expect((await client.get(`/Account/${id}/updateStream`)).status).toBe(status);
      expect((await client.get(`/Account/${id}/stream`)).status).toBe(200);
    }
    expect((await admin.get(`/Account/${id}/updateStream`)).status).toBe(200);
  });

  it('limit users with level own to streams of records that they own', async () => {
    const { id: userId, client } = await makeUser({ Account: { ...all, stream: 'own' } });
    const theirs = await makeAccount(api, { assignedUserId: userId });
    const others = await makeAccount();

    expect((await client.get(`/Account/${theirs.id}/stream`)).status).toBe(200);
    expect((await client.get(`/Account/${others.id}`)).status).toBe(200);
    expect((await client.get(`/Account/${others.id}/stream`)).status).toBe(403);
    expect((await postUnder(client, 'Account', others.id, 'no')).status).toBe(403);
    expect((await client.put(`/Account/${others.id}/subscription`)).status).toBe(403);
    expect(recordIn(await postUnder(client, 'Account', theirs.id, 'yes'))['post']).toBe('yes');
  });

  it('omit closed fields and the names of hidden records from stream items', async () => {
    const { client } = await makeUser(
      { Account: all },
      { fieldData: { Account: { sicCode: { read: 'no' }, assignedUser: { read: 'no' } } } },
    );
    const { id } = await makeAccount(api, { assignedUserId: 'user' });
    await api.put(`/Account/${id}`, { sicCode: 'SECRET-1' });
    await api.put(`/Account/${id}`, { sicCode: 'SECRET-2', website: 'https://open.example' });
    await api.put(`/Account/${id}`, { assignedUserId: 'admin' });
    await client.put(`/Account/${id}/subscription`);
    const own = await client.get(`/Account/${id}/stream`);
    const feed = await client.get('/Stream');

    expect(typesIn(own)).toEqual(['Update', 'Create']);
    expect(listIn(own).total).toBe(2);
    expect(typesIn(feed)).toEqual(['Update', 'Create']);
    for (const { text } of [own, feed, await client.get(`/Account/${id}`)]) {
      expect(text).not.toMatch(/SECRET|sicCode|assignedUser/);
    }
    expect(listIn(await client.get(`/Account/${id}/followers`)).list).not.toContainEqual(
      expect.objectContaining({ id: 'admin' }),
    );
  });

  it("remove hidden records from the user's feed, even if they are followed", async () => {
    const team = recordIn(await admin.post('/Team', { name: unique('team') }));
    const { client } = await makeUser({ Account: { create: 'yes', read: 'team' } }, {}, [team.id]);
    const { id } = await makeAccount(admin, { teamsIds: [team.id] });
    expect((await client.put(`/Account/${id}/subscription`)).text).toBe('true');
    await postUnder(admin, 'Account', id, 'seen');
    expect(typesIn(await client.get('/Stream'))).toEqual(['Post', 'Create']);
    await admin.put(`/Account/${id}`, { teamsIds: [] });

    expect(listIn(await client.get('/Stream')).list).toEqual([]);
    expect(listIn(await client.get('/Note')).list).toEqual([]);
    expect((await client.get(`/Account/${id}/stream`)).status).toBe(403);
  });
});

describe('a post', () => {
  it('is readable with stream access and editable by its author and administrators', async () => {
    const { client } = await makeUser({ Account: all });
    const { id } = await makeAccount();
    const made = recordIn(await postUnder(api, 'Account', id, 'first'));

    expect(made).toMatchObject({ type: 'Post', parentType: 'Account', parentId: id });
    expect((await client.get(`/Note/${made.id}`)).body).toMatchObject({ post: 'first' });
    expect((await client.put(`/Note/${made.id}`, { post: 'x' })).status).toBe(403);
    expect((await client.delete(`/Note/${made.id}`)).status).toBe(403);
    const changed = await api.put(`/Note/${made.id}`, { post: 'second', parentId: 'other' });
    expect(changed.body).toMatchObject({ post: 'second', parentId: id });
    expect((await admin.put(`/Note/${made.id}`, { post: 'third' })).status).toBe(200);
    expect(listIn(await client.get(`/Account/${id}/posts`)).list).toMatchObject([
      { post: 'third' },
    ]);
    expect((await admin.delete(`/Note/${made.id}`)).text).toBe('true');
    expect(listIn(await client.get(`/Account/${id}/posts`)).total).toBe(0);
  });

  it('can be marked as internal by its author', async () => {
    const { id } = await makeAccount();
    const parent = { type: 'Post', parentType: 'Account', parentId: id };
    const note = recordIn(await api.post('/Note', { ...parent, post: 'x', isInternal: true }));
    expect(note).toMatchObject({ isInternal: true });
    await postUnder(api, 'Account', id, 'y');
    const marks = async (path: string) =>
      listIn(await api.get(path)).list.map(({ post, isInternal }) => [post, isInternal]);
    expect(await marks(`/Account/${id}/stream`)).toEqual([
      ['y', false],
      ['x', true],
      [null, false],
    ]);
    expect(await marks('/Stream?maxSize=2')).toEqual([
      ['y', false],
      ['x', true],
    ]);
    const { client } = await makeUser({ Account: all });
    expect((await client.put(`/Note/${note.id}`, { isInternal: false })).status).toBe(403);
    expect((await api.put(`/Note/${note.id}`, { isInternal: false })).status).toBe(200);
    expect((await api.get(`/Note/${note.id}`)).body).toMatchObject({ isInternal: false });
    const wrong = await api.post('/Note', { ...parent, post: 'x', isInternal: 'maybe' });
    expect(wrong.body).toMatchObject({ errors: [{ field: 'isInternal' }] });
  });

  it('is rejected if it is invalid and changes nothing', async () => {
    const { id } = await makeAccount();
    const parent = { parentType: 'Account', parentId: id };
    const refused = async (client: ApiClient, body: object) =>
      (await client.post('/Note', body)).status;

    expect(await refused(api, { ...parent, type: 'Update', post: 'x' })).toBe(403);
    expect(await refused(admin, { ...parent, type: 'Update', post: 'x' })).toBe(400);
    expect(await refused(api, { ...parent })).toBe(400);
    expect(await refused(api, { ...parent, post: '' })).toBe(400);
    expect(await refused(api, { ...parent, post: 'x'.repeat(20_001) })).toBe(400);
    expect(await refused(api, { post: 'x' })).toBe(400);
    expect(await refused(api, { post: 'x', parentType: 'User', parentId: 'user' })).toBe(400);
    expect(await refused(api, { post: 'x', parentType: 'Nothing', parentId: 'user' })).toBe(400);
    expect(await refused(api, { post: 'x', parentType: 'Account', parentId: 'nothing' })).toBe(403);
    expect(await refused(api, { post: 'x', parentType: 'Account', parentId: '\0' })).toBe(400);
    expect(listIn(await api.get(`/Account/${id}/posts`)).total).toBe(0);
    const role = { name: unique('role'), data: { Note: { read: 'all' } } };
    expect((await admin.post('/Role', role)).status).toBe(400);
  });

  it('is created once per Idempotency-Key', async () => {
    const { id } = await makeAccount();
    const key = { 'Idempotency-Key': unique('post') };
    const body = { parentType: 'Account', parentId: id, post: 'once' };
    const [first, second] = [
      await api.post('/Note', body, key),
      await api.post('/Note', body, key),
    ];

    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(listIn(await api.get(`/Account/${id}/posts`)).total).toBe(1);
  });

  it('is sent to webhooks of users with access to its stream', async () => {
    const seeing = await makeUser({ Account: all, Webhook: true });
    const blind = await makeUser({ Account: { ...all, stream: 'no' }, Webhook: true });
    for (const [client, path] of [
      [seeing.client, '/seeing'],
      [blind.client, '/blind'],
    ] as const) {
      await registerWebhook(client, { event: 'Note.create', url: subscriber.url(path) });
    }
    const { id } = await makeAccount();
    const note = recordIn(await postUnder(api, 'Account', id, 'for webhooks'));
    await eventually(() => {
      expect(subscriber.events('/seeing')).toContainEqual(
        expect.objectContaining({ id: note.id, post: 'for webhooks', parentId: id }),
      );
    });
    expect(subscriber.events('/blind')).toEqual([]);
  });
});

describe('following a record', () => {
  it("is each user's choice and leaves the record unchanged", async () => {
    const { id: userId, client } = await makeUser({ Account: all, Webhook: true });
    const update = { event: 'Account.update', url: subscriber.url('/followed') };
    await registerWebhook(client, update);
    const { id } = await makeAccount();
    const before = await client.get(`/Account/${id}`);
    expect(before.body).toMatchObject({ isFollowed: false, followersIds: ['api-key'] });

    for (const times of [1, 2]) {
      const answer = await client.put(`/Account/${id}/subscription`);
      expect(answer.text, `${times}`).toBe('true');
      expect(answer.headers['x-consistency-token']).toBeDefined();
    }
    const followed = await client.get(`/Account/${id}`);
    expect(followed.body).toMatchObject({ isFollowed: true, followersIds: ['api-key', userId] });
    expect(followed.headers['etag']).toBe(before.headers['etag']);
    const ifMatch = { 'If-Match': String(before.headers['etag']) };
    const changed = await client.put(`/Account/${id}`, { sicCode: '9' }, ifMatch);
    expect(changed.body).toMatchObject({ sicCode: '9', isFollowed: true });
    const unread = { Prefer: 'respond-async' };
    const later = await client.put(`/Account/${id}`, { sicCode: '9' }, unread);
    expect(later.body).not.toHaveProperty('isFollowed');
    expect((await client.delete(`/Account/${id}/subscription`)).text).toBe('true');
    expect((await client.get(`/Account/${id}`)).body).toMatchObject({ isFollowed: false });
    await eventually(() => expect(subscriber.events('/followed')).toHaveLength(1));
  });

  it('is automatic for creators and assigned users until they unfollow', async () => {
    const { id: userId, client } = await makeUser({ Account: all });
    const made = await makeAccount(client);
    const given = await makeAccount(api, { assignedUserId: userId });
    expect(made).toMatchObject({ isFollowed: true, followersIds: [userId] });
    expect((await client.get(`/Account/${given.id}`)).body).toMatchObject({ isFollowed: true });
    const filter = async () =>
      listIn(await client.get('/Account?primaryFilter=followed&orderBy=id')).list.map(
        ({ id }) => id,
      );

    expect(await filter()).toEqual([made.id, given.id].toSorted());
    expect(listIn(await client.get('/Account?boolFilterList[]=followed')).total).toBe(2);
    await client.delete(`/Account/${made.id}/subscription`);
    expect(await filter()).toEqual([given.id]);
    expect(listIn(await client.get('/Stream')).list.map(({ parentId }) => parentId)).toEqual([
      given.id,
    ]);
  });

  it('is automatic for participants until they unfollow', async () => {
    const at = { dateStart: '2030-01-31 10:00:00', dateEnd: '2030-01-31 11:00:00' };
    const body = {
      name: unique('Attended'),
      ...at,
      assignedUserId: 'admin',
      usersIds: ['api-key'],
    };
    const made = recordIn(await admin.post('/Meeting', body));
    expect(made).toMatchObject({ followersIds: ['admin', 'api-key'] });
    const path = `/Meeting/${made.id}`;
    const followed = async () =>
      listIn(await api.get('/Meeting?primaryFilter=followed')).list.map(({ id }) => id);
    const inFeed = async () =>
      listIn(await api.get('/Stream')).list.map(({ parentId }) => parentId);
    expect((await api.get(path)).body).toMatchObject({ isFollowed: true });
    expect([await followed(), await inFeed()]).toEqual([
      expect.arrayContaining([made.id]),
      expect.arrayContaining([made.id]),
    ]);
    await api.delete(`${path}/subscription`);
    expect((await api.get(path)).body).toMatchObject({ isFollowed: false });
    expect([await followed(), await inFeed()]).toEqual([
      expect.not.arrayContaining([made.id]),
      expect.not.arrayContaining([made.id]),
    ]);
  });

  it('can be managed for other users with the permission', async () => {
    const follower = await makeUser({ Account: all });
    const blind = await makeUser({ Account: { ...all, stream: 'no' } });
    const manager = await makeUser({ Account: all }, { followerManagementPermission: 'all' });
    const mate = await makeUser({ Account: all }, { followerManagementPermission: 'team' });
    const { id } = await makeAccount();
    const path = `/Account/${id}/followers`;
    const set = async (client: ApiClient, ids: readonly string[]) => client.post(path, { ids });

    expect((await set(api, [follower.id])).status).toBe(403);
    expect((await set(mate.client, [follower.id])).status).toBe(403);
    expect((await set(manager.client, [blind.id])).status).toBe(403);
    expect((await set(manager.client, ['nobody'])).status).toBe(404);
    expect((await manager.client.post(path, { ids: 'x' })).status).toBe(400);
    expect((await set(mate.client, [mate.id])).text).toBe('true');
    expect((await set(manager.client, [follower.id])).text).toBe('true');
    const { total, list } = listIn(await api.get(path));
    expect(total).toBe(3);
    expect(list.map(({ id: one }) => one)).toContain(follower.id);
    expect((await follower.client.get(`/Account/${id}`)).body).toMatchObject({ isFollowed: true });
    const unset = {
      method: 'DELETE',
      target: `/api/v1${path}`,
      body: JSON.stringify({ ids: [follower.id] }),
    };
    const key = withPassword(product.access().admin)('DELETE', path);
    const answer = await api.send({
      ...unset,
      headers: { ...key, 'Content-Type': 'application/json' },
    });
    expect(answer.text).toBe('true');
    expect(listIn(await api.get(`${path}?maxSize=1`))).toMatchObject({ total: 2, list: [{}] });
  });

  it('is idempotent with an Idempotency-Key', async () => {
    const { id } = await makeAccount();
    const key = { 'Idempotency-Key': unique('follow') };
    expect((await admin.put(`/Account/${id}/subscription`, undefined, key)).text).toBe('true');
    expect((await admin.put(`/Account/${id}/subscription`, undefined, key)).text).toBe('true');
    expect((await admin.delete(`/Account/${id}/subscription`, key)).status).toBe(422);
    expect((await admin.get(`/Account/${id}`)).body).toMatchObject({ isFollowed: true });
  });
});

describe('pinned posts', () => {
  const pin = (client: ApiClient, id: string) => client.post(`/Note/${id}/pin`);
  const pinnedOf = async (id: string) =>
    (listIn(await api.get(`/Account/${id}/stream`)) as unknown as { pinnedList: { id: string }[] })
      .pinnedList;

  it('are limited to five, listed separately and otherwise unchanged', async () => {
    const { id } = await makeAccount();
    const notes: string[] = [];
    for (const post of ['1', '2', '3', '4', '5', '6']) {
      notes.push(recordIn(await postUnder(api, 'Account', id, post)).id);
    }
    const [first = '', ...others] = notes;
    const tag = (await api.get(`/Note/${first}`)).headers['etag'];
    expect((await pin(api, first)).text).toBe('true');
    expect((await pin(api, first)).text).toBe('true');
    expect((await api.get(`/Note/${first}`)).headers['etag']).toBe(tag);
    expect(await pinnedOf(id)).toMatchObject([{ id: first, isPinned: true }]);
    // Pins five at the same time: the one over the limit must leave nothing behind.
    const answers = await Promise.all(others.map(async (note) => pin(api, note)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 403]);
    expect(await pinnedOf(id)).toHaveLength(5);
    const { list } = listIn(await api.get(`/Account/${id}/posts`));
    expect(list.filter(({ isPinned }) => isPinned === true)).toHaveLength(5);
    await api.delete(`/Note/${first}`);
    const [refused = ''] = others.filter((_, index) => answers[index]?.status === 403);
    expect((await pin(api, refused)).text).toBe('true');
    expect((await api.delete(`/Note/${refused}/pin`)).text).toBe('true');
    expect((await pinnedOf(id)).map((note) => note.id)).not.toContain(refused);
  });

  it('can be chosen by users who may edit the record', async () => {
    const { client } = await makeUser({ Account: { ...all, edit: 'own' } });
    const blind = await makeUser({ Account: { ...all, stream: 'no' } });
    const { id } = await makeAccount();
    const note = recordIn(await postUnder(api, 'Account', id, 'not theirs')).id;
    expect((await pin(client, note)).status).toBe(403);
    expect((await pin(blind.client, note)).status).toBe(403);
    expect((await pin(api, 'nothing')).status).toBe(404);
    expect(await pinnedOf(id)).toEqual([]);
    expect((await api.get('/StreamPins')).status).toBe(404);
  });
});

describe('reactions', () => {
  it('count once per user and show each user their own reactions', async () => {
    const { client } = await makeUser({ Account: all });
    const { id } = await makeAccount();
    const note = recordIn(await postUnder(api, 'Account', id, 'nice')).id;
    const react = (who: ApiClient, type: string) => who.post(`/Note/${note}/myReactions/${type}`);
    for (const answer of [
      await react(api, 'Like'),
      await react(api, 'Like'),
      await react(client, 'Like'),
      await react(client, 'Love'),
    ]) {
      expect(answer.text).toBe('true');
    }
    const seen = async (who: ApiClient) => listIn(await who.get(`/Account/${id}/posts`)).list;
    expect(await seen(api)).toMatchObject([
      { reactionCounts: { Like: 2, Love: 1 }, myReactions: ['Like'] },
    ]);
    expect(await seen(client)).toMatchObject([{ myReactions: ['Like', 'Love'] }]);
    const read = recordIn(await api.get(`/Note/${note}`));
    expect(read).toMatchObject({
      post: 'nice',
      isPinned: false,
      reactionCounts: { Like: 2, Love: 1 },
      myReactions: ['Like'],
    });
    const strict = await api.put(`/Note/${note}`, read, { 'X-Strict': 'true' });
    expect([strict.status, strict.headers['x-ignored-attributes']]).toEqual([200, undefined]);
    expect((await client.delete(`/Note/${note}/myReactions/Like`)).text).toBe('true');
    expect(await seen(client)).toMatchObject([
      { reactionCounts: { Like: 1, Love: 1 }, myReactions: ['Love'], isPinned: false },
    ]);
  });

  it('have a fixed set of types and require access to the stream', async () => {
    const { client } = await makeUser({ Account: { ...all, stream: 'no' } });
    const { id } = await makeAccount();
    const note = recordIn(await postUnder(api, 'Account', id, 'quiet')).id;
    expect((await api.post(`/Note/${note}/myReactions/Shout`)).status).toBe(400);
    expect((await client.post(`/Note/${note}/myReactions/Like`)).status).toBe(403);
    expect((await api.post('/Note/nothing/myReactions/Like')).status).toBe(404);
    expect(listIn(await api.get(`/Account/${id}/posts`)).list).toMatchObject([
      { reactionCounts: {}, myReactions: [] },
    ]);
  });
});

describe('the global stream', () => {
  it('requires the scope and lists events of all readable records', async () => {
    const seeing = await makeUser({ Account: { create: 'yes', read: 'own' }, GlobalStream: true });
    const without = await makeUser({ Account: all });
    const theirs = await makeAccount(api, { assignedUserId: seeing.id });
    await postUnder(api, 'Account', theirs.id, 'seen by all of them');
    expect((await without.client.get('/GlobalStream')).status).toBe(403);
    const hidden = await makeAccount();
    await postUnder(api, 'Account', hidden.id, 'hidden');
    await makeCase();
    const { total, list } = listIn(await seeing.client.get('/GlobalStream'));
    expect(total).toBe(-2);
    expect(list.map(({ type, parentId }) => [type, parentId])).toEqual([
      ['Post', theirs.id],
      ['Create', theirs.id],
    ]);
    expect(list[0]).toMatchObject({ parentName: theirs['name'] });
    const everything = listIn(await admin.get('/GlobalStream?maxSize=10')).list;
    expect(everything.map(({ parentId }) => parentId)).toContain(hidden.id);
    expect(everything).toHaveLength(10);
    const posts = listIn(await admin.get('/GlobalStream?filter=posts&maxSize=2')).list;
    expect(posts.map(({ post }) => post)).toEqual(['hidden', 'seen by all of them']);
  });
});

describe('stars', () => {
  it('can be set, removed and used as a filter', async () => {
    const { client } = await makeUser({ Account: all });
    const { id } = await makeAccount();
    expect((await client.put(`/Account/${id}/starSubscription`)).text).toBe('true');
    expect((await client.get(`/Account/${id}`)).body).toMatchObject({
      isStarred: true,
      isFollowed: false,
    });
    expect((await api.get(`/Account/${id}`)).body).toMatchObject({ isStarred: false });
    const starred = async () => listIn(await client.get('/Account?primaryFilter=starred')).total;
    expect(await starred()).toBe(1);
    expect((await client.delete(`/Account/${id}/starSubscription`)).text).toBe('true');
    expect(await starred()).toBe(0);
    expect((await client.put('/Account/nothing/starSubscription')).status).toBe(404);
    expect((await client.get('/Team?primaryFilter=starred')).status).toBe(400);
  });

  it('are limited to 500 per user', async () => {
    const { client } = await makeUser({ Account: all });
    const made = await Promise.all(
      Array.from({ length: 501 }, async () => (await makeAccount()).id),
    );
    const [last = '', again = '', ...others] = made;
    const star = async (id: string) => client.put(`/Account/${id}/starSubscription`);
    for (const answer of await Promise.all([again, ...others].map(star))) {
      expect(answer.status).toBe(200);
    }
    expect((await star(last)).status).toBe(403);
    expect((await star(again)).status).toBe(200);
    await client.delete(`/Account/${again}/starSubscription`);
    expect((await star(last)).status).toBe(200);
  });
});

describe('a rebuild', () => {
  it('leaves every stream unchanged and passes verify', async () => {
    const { client } = await makeUser({ Account: all, Case: all });
    const { id } = await makeCase(client);
    const followed = await makeAccount();
    await client.put(`/Account/${followed.id}/subscription`);
    await client.put(`/Case/${id}`, { status: 'Closed' });
    const note = recordIn(await postUnder(client, 'Case', id, 'kept'));
    await client.put(`/Note/${note.id}`, { post: 'kept and changed' });
    const paths = ['/Stream', `/Case/${id}/stream`, `/Account/${followed.id}`, `/Note/${note.id}`];
    const readAll = async () =>
      Promise.all(paths.map(async (path) => (await client.get(path)).text));
    const before = await readAll();

    expect(listIn(await client.get('/Stream')).list).toHaveLength(4);
    expect(await annals('verify')).toMatchObject({ differences: 0 });
    await annals('rebuild');
    expect(await annals('verify')).toMatchObject({ differences: 0 });
    expect(await readAll()).toEqual(before);
  });
});

/** Runs an operators' command against the product, and returns its output. */
async function annals(command: string): Promise<unknown> {
  const main = join(import.meta.dirname, '..', '..', 'infra', 'cli', 'main.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [main, command, '--json', '--data-dir', product.dataDir],
    {
      env: {
        ...process.env,
        ANNALS_TOPIC_PREFIX: topicPrefix,
        KAFKA_BROKERS: '',
        DATABASE_URL: '',
      },
    },
  );
  return JSON.parse(stdout);
}
