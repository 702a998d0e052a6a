import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let admin: ApiClient;
let ann: Person;
let bob: Person;

interface Person {
  readonly id: string;
  readonly roleId: string;
  readonly userName: string;
  readonly client: ApiClient;
}

interface Notification {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly read: boolean;
  readonly createdById: string;
  readonly relatedParentName: string | null;
  readonly isFeatured: boolean;
  readonly noteData: { readonly type: string; readonly post: string | null };
}

const password = 'correct horse battery';
const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };
const own = { create: 'yes', read: 'own', edit: 'own', delete: 'own', stream: 'own' };
const rights = { Account: all, Case: own };

async function makePerson(role: object): Promise<Person> {
  const name = unique('Person').toLowerCase().replaceAll(' ', '-');
  const { id: roleId } = recordIn(await admin.post('/Role', { name, data: rights, ...role }));
  const user = { userName: name, lastName: name, type: 'regular', password, rolesIds: [roleId] };
  const { id } = recordIn(await admin.post('/User', user));
  return {
    id,
    roleId,
    userName: name,
    client: admin.as(withPassword({ userName: name, password })),
  };
}

beforeAll(async () => {
  annals = await startAnnals();
  admin = createApiClient(annals.url, withPassword(annals.admin));
  ann = await makePerson({ mentionPermission: 'all', assignmentPermission: 'all' });
  bob = await makePerson({ assignmentPermission: 'all' });
});

afterAll(async () => {
  admin?.close();
  await annals?.stop();
});

const makeAccount = async (by: Person, values: object = {}) =>
  recordIn(await by.client.post('/Account', { name: unique('Account'), ...values }));

async function post(by: Person, parentId: string, text: string, parentType = 'Account') {
  return recordIn(await by.client.post('/Note', { post: text, parentType, parentId }));
}

async function read({ client }: Person, query = '') {
  const { status, body, text, headers } = await client.get(`/Notification${query}`);
  expect(status, text).toBe(200);
  const page = body as { readonly total: number; readonly list: readonly Notification[] };
  return { ...page, token: headers['x-consistency-token'] };
}

async function unread({ client }: Person, headers: Readonly<Record<string, string>> = {}) {
  const { status, body, text } = await client.get('/Notification/action/notReadCount', headers);
  expect(status, text).toBe(200);
  return body;
}

async function markAllRead({ client }: Person): Promise<void> {
  expect((await client.post('/Notification/action/markAllRead', {})).body).toBe(true);
}

describe('a mention in a post', () => {
  it('notifies a user who does not follow the record, until the user has read it', async () => {
    const account = await makeAccount(ann);
    const note = await post(ann, account.id, `Ask @${bob.userName}, please.`);
    expect(note['data']).toMatchObject({
      mentions: { [`@${bob.userName}`]: { id: bob.id, userName: bob.userName, _scope: 'User' } },
    });
    expect([await unread(bob), await unread(ann)]).toEqual([1, 0]);
    const first = await read(bob);
    expect(first.list[0]).toMatchObject({
      id: note.id,
      type: 'MentionInPost',
      read: false,
      createdById: ann.id,
      userId: bob.id,
      relatedType: 'Note',
      relatedId: note.id,
      relatedParentType: 'Account',
      relatedParentId: account.id,
      relatedParentName: account['name'],
      data: { noteId: note.id },
      noteData: { type: 'Post', post: `Ask @${bob.userName}, please.`, data: note['data'] },
    });
    expect(first.token).toBeTypeOf('string');
    expect(await unread(bob, { 'X-Consistency-Token': String(first.token) })).toBe(0);
    const second = await read(bob);
    expect(second.list[0]).toMatchObject({ id: note.id, read: true });
    expect(second.token).toBeUndefined();
  });

  it('is one notification if the user also follows the record', async () => {
    const account = await makeAccount(bob);
    await markAllRead(bob);
    const note = await post(ann, account.id, `@${bob.userName}`);
    expect(await unread(bob)).toBe(1);
    const { list } = await read(bob, '?maxSize=2');
    expect(list.filter(({ id }) => id === note.id)).toMatchObject([{ type: 'MentionInPost' }]);
  });

  it('notifies the user when an edit adds it, and its notification disappears when an edit removes it', async () => {
    const account = await makeAccount(ann);
    const note = await post(ann, account.id, 'First');
    await markAllRead(bob);
    await ann.client.put(`/Note/${note.id}`, { post: `First, @${bob.userName}` });
    expect(await unread(bob)).toBe(1);
    expect((await read(bob, '?maxSize=1')).list).toMatchObject([{ id: note.id, read: false }]);
    const shorter = recordIn(await ann.client.put(`/Note/${note.id}`, { post: 'First' }));
    expect(shorter['data']).toBeNull();
    expect((await read(bob)).list.map(({ id }) => id)).not.toContain(note.id);
  });

  it('neither mentions users without the permission nor notifies users without access', async () => {
    const account = await makeAccount(bob);
    await markAllRead(ann);
    await post(bob, account.id, `@${ann.userName}`);
    const hidden = recordIn(
      await ann.client.post('/Case', { name: 'Secret', assignedUserId: ann.id }),
    );
    await markAllRead(bob);
    const note = await post(ann, hidden.id, `@${bob.userName}`, 'Case');
    expect(note['data']).not.toBeNull();
    expect([await unread(ann), await unread(bob)]).toEqual([0, 0]);
    expect((await bob.client.get(`/Note/${note.id}`)).status).toBe(403);
  });
});

describe('a followed record', () => {
  it('notifies of its assignment, and then of changes and posts by others', async () => {
    const account = await makeAccount(ann, { website: 'https://old.example' });
    await ann.client.put(`/Account/${account.id}`, { website: 'https://older.example' });
    await markAllRead(bob);
    await ann.client.put(`/Account/${account.id}`, { assignedUserId: bob.id });
    await ann.client.put(`/Account/${account.id}`, { website: 'https://new.example' });
    await bob.client.put(`/Account/${account.id}`, { website: 'https://own.example' });
    await post(ann, account.id, 'Done');
    await post(bob, account.id, 'Thanks');
    expect(await unread(bob)).toBe(3);
    const { list } = await read(bob);
    const ofAccount = list.filter(({ relatedParentName: name }) => name === account['name']);
    expect(ofAccount).toMatchObject([
      { type: 'Note', noteData: { type: 'Post', post: 'Done' }, isFeatured: false },
      { type: 'Note', noteData: { type: 'Update' }, isFeatured: false },
      { type: 'Note', noteData: { type: 'Assign' }, isFeatured: true },
    ]);
  });

  it('does not notify of what happened before an explicit follow', async () => {
    const account = await makeAccount(ann);
    await markAllRead(bob);
    await post(ann, account.id, 'Before');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await bob.client.put(`/Account/${account.id}/subscription`);
    expect(await unread(bob)).toBe(0);
    await post(ann, account.id, 'After');
    expect(await unread(bob)).toBe(1);
  });

  it('no longer notifies once the user may not read it, or after its deletion', async () => {
    const account = await makeAccount(ann, { assignedUserId: bob.id });
    const gone = await makeAccount(ann, { assignedUserId: bob.id });
    const named = async () => (await read(bob)).list.map((one) => one.relatedParentName);
    expect(await named()).toEqual(expect.arrayContaining([account['name'], gone['name']]));
    await ann.client.delete(`/Account/${gone.id}`);
    expect(await named()).not.toContain(gone['name']);
    await admin.put(`/Role/${bob.roleId}`, { data: { ...rights, Account: { read: 'no' } } });
    expect(await named()).not.toContain(account['name']);
    await admin.put(`/Role/${bob.roleId}`, { data: rights });
    expect(await named()).toContain(account['name']);
  });
});

describe('read marks', () => {
  it('cover the pages that the user has read', async () => {
    await markAllRead(bob);
    const account = await makeAccount(bob);
    for (const text of ['1', '2', '3', '4', '5']) await post(ann, account.id, text);
    const first = await read(bob, '?maxSize=2');
    expect(first.total).toBe(-1);
    expect(first.list.map(({ noteData }) => noteData.post)).toEqual(['5', '4']);
    expect(await unread(bob)).toBe(3);
    await read(bob, `?maxSize=2&beforeNumber=${first.list[1]?.number}`);
    expect(await unread(bob)).toBe(1);
    await read(bob, '?maxSize=1&offset=4');
    expect(await unread(bob)).toBe(0);
  });

  it('are not set by a list of unread notifications', async () => {
    await markAllRead(bob);
    const account = await makeAccount(bob);
    await post(ann, account.id, 'Read');
    await read(bob, '?maxSize=1');
    for (const text of ['1', '2']) await post(ann, account.id, text);
    const posts = async (query: string) =>
      (await read(bob, query)).list.map(({ noteData }) => noteData.post);
    expect(await posts('?onlyUnread=true')).toEqual(['2', '1']);
    const first = await read(bob, '?onlyUnread=true&maxSize=1');
    expect([first.total, first.token]).toEqual([-1, undefined]);
    expect(await unread(bob)).toBe(2);
    expect((await bob.client.get('/Notification?onlyUnread=yes')).status).toBe(400);
  });

  it('are not set for an administrator who views the notifications of a user', async () => {
    await markAllRead(bob);
    await makeAccount(ann, { assignedUserId: bob.id });
    const as = { 'X-Another-User': bob.userName };
    expect((await admin.get('/Notification?maxSize=1', as)).body).toMatchObject({
      list: [{ read: false }],
    });
    expect(await unread(bob)).toBe(1);
  });

  it('remove single notifications', async () => {
    await makeAccount(ann, { assignedUserId: bob.id });
    const id = (await read(bob, '?maxSize=1')).list[0]?.id ?? '';
    expect((await bob.client.delete(`/Notification/${id}`)).body).toBe(true);
    expect((await read(bob)).list.map((one) => one.id)).not.toContain(id);
    expect((await bob.client.delete('/Notification/a%20b')).status).toBe(404);
    const twice = { 'Idempotency-Key': unique('key') };
    const mark = () => bob.client.post('/Notification/action/markAllRead', {}, twice);
    expect([(await mark()).status, (await mark()).status]).toEqual([200, 200]);
  });

  it('reject parameters of lists, and changes of single notifications', async () => {
    const { client } = bob;
    expect((await client.get('/Notification?where[0][type]=isNull')).status).toBe(400);
    expect((await client.get('/Notification?beforeNumber=x')).status).toBe(400);
    expect((await client.get('/Notification?maxSize=201')).status).toBe(403);
    expect((await client.put('/Notification/x', {})).status).toBe(405);
  });
});
