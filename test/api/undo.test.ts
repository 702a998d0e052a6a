import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals();
  admin = createApiClient(annals.url, withPassword(annals.admin));
});
afterAll(async () => {
  admin.close();
  await annals.stop();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

interface Person {
  readonly id: string;
  readonly roleId: string;
  readonly api: ApiClient;
}

async function userWith(rights: object = {}): Promise<Person> {
  const name = unique('u').replace(' ', '');
  const role = {
    name,
    data: { Account: all, Contact: all, Task: all, ...rights },
    massUpdatePermission: 'yes',
    assignmentPermission: 'all',
  };
  const { id: roleId } = recordIn(await admin.post('/Role', role));
  const body = { userName: name, type: 'api', rolesIds: [roleId] };
  const user = recordIn(await admin.post('/User', body));
  return { id: user.id, roleId, api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

async function make(api: ApiClient, entityType: string, body: object): Promise<string> {
  const answer = await api.post(`/${entityType}`, body, { 'X-Skip-Duplicate-Check': 'true' });
  expect(answer.status, answer.text).toBe(200);
  return recordIn(answer).id;
}

interface Result {
  readonly id: string;
  readonly count: number;
  readonly skipped: readonly { readonly reason: string; readonly ids: readonly string[] }[];
}

async function undo(api: ApiClient, changeId: string): Promise<Result> {
  const answer = await api.post('/Undo', { changeId });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Result;
}

async function refusal(api: ApiClient, changeId: unknown): Promise<unknown> {
  const { status, body } = await api.post('/Undo', { changeId });
  return [status, (body as { readonly code: string }).code];
}

interface Listed {
  readonly changeId: string;
  readonly type: string;
  readonly recordName: string | null;
  readonly attributes: readonly string[];
  readonly action: string | null;
  readonly recordCount: number;
  readonly undoneById: string | null;
}

async function recent(api: ApiClient, query = ''): Promise<readonly Listed[]> {
  const answer = await api.get(`/Undo${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { readonly list: readonly Listed[] }).list;
}

/** Changes records with a mass action and returns the name of the change. */
async function changeMany(
  api: ApiClient,
  { action = 'update', ids, values }: { action?: string; ids: readonly string[]; values?: object },
): Promise<string> {
  const body = { entityType: 'Account', action, params: { ids }, data: { values }, idle: true };
  const { id } = recordIn(await api.post('/MassAction', body));
  for (;;) {
    const { body: status } = await api.get(`/MassAction/${id}/status`);
    if ((status as { readonly status: string }).status !== 'Running') return `MassAction/${id}`;
  }
}

describe('the undo of a single change', () => {
  it('restores earlier values of every kind of field as a new version', async () => {
    const { api } = await userWith();
    const [acme, ajax] = [
      await make(api, 'Account', { name: 'Acme' }),
      await make(api, 'Account', { name: 'Ajax' }),
    ];
    const before = {
      lastName: 'Byron',
      title: 'Lady',
      accountId: acme,
      emailAddress: 'a@example.com',
      phoneNumber: '+491701234567',
      addressCity: 'London',
      doNotCall: true,
    };
    const id = await make(api, 'Contact', before);
    const read = async () => {
      const { modifiedAt, modifiedById, modifiedByName, ...rest } = recordIn(
        await api.get(`/Contact/${id}`),
      );
      return rest;
    };
    const earlier = await read();
    await api.put(`/Contact/${id}`, {
      lastName: 'Lovelace',
      title: null,
      accountId: ajax,
      emailAddress: 'b@example.com',
      phoneNumber: null,
      addressCity: 'Paris',
      addressStreet: 'Rue 1',
      doNotCall: false,
    });
    expect(await undo(api, `Contact/${id}/2`)).toMatchObject({ count: 1, skipped: [] });
    expect(await read()).toEqual(earlier);
    expect(await refusal(api, `Contact/${id}/7`)).toEqual([404, 'undo.not_found']);
  });

  it('keeps and reports values that have changed since', async () => {
    const { api } = await userWith();
    const id = await make(api, 'Account', { name: 'First', website: 'https://a.example' });
    await api.put(`/Account/${id}`, { name: 'Second', website: 'https://b.example' });
    await api.put(`/Account/${id}`, { name: 'Third' });
    const record = `Account/${id}`;
    expect(await undo(api, `${record}/2`)).toMatchObject({
      count: 1,
      skipped: [{ reason: 'undo.partly', count: 1, ids: [record] }],
    });
    expect((await api.get(`/Account/${id}`)).body).toMatchObject({
      name: 'Third',
      website: 'https://a.example',
    });
    expect(await undo(api, `${record}/2`)).toMatchObject({
      count: 0,
      skipped: [{ reason: 'undo.changed_since', ids: [record] }],
    });
  });

  it('deletes an unchanged new record and can itself be undone', async () => {
    const { api } = await userWith();
    const id = await make(api, 'Account', { name: 'New' });
    const { id: undoId } = await undo(api, `Account/${id}/1`);
    expect((await api.get(`/Account/${id}`)).body).toMatchObject({ code: 'record.deleted' });
    expect(await undo(api, `Account/${id}/1`)).toMatchObject({
      count: 0,
      skipped: [{ reason: 'undo.done' }],
    });
    expect(await undo(api, `MassAction/${undoId}`)).toMatchObject({ count: 1, skipped: [] });
    expect((await api.get(`/Account/${id}`)).body).toMatchObject({ name: 'New' });
    await api.put(`/Account/${id}`, { name: 'Changed' });
    expect(await undo(api, `Account/${id}/1`)).toMatchObject({
      count: 0,
      skipped: [{ reason: 'undo.changed_since' }],
    });
  });

  it('restores a deleted record', async () => {
    const { api } = await userWith();
    const id = await make(api, 'Account', { name: 'Gone' });
    await api.delete(`/Account/${id}`);
    expect(await undo(api, `Account/${id}/2`)).toMatchObject({ count: 1 });
    expect((await api.get(`/Account/${id}`)).body).toMatchObject({ name: 'Gone' });
  });

  it('runs once if two users request it at the same time', async () => {
    const { api } = await userWith();
    const id = await make(api, 'Account', { name: 'Once' });
    await api.put(`/Account/${id}`, { name: 'Twice' });
    const [one, other] = await Promise.all([
      undo(api, `Account/${id}/2`),
      undo(admin, `Account/${id}/2`),
    ]);
    expect(one.count + other.count).toBe(1);
    expect([...one.skipped, ...other.skipped].map(({ reason }) => reason)).toEqual(['undo.done']);
    const { body } = await admin.get(`/Account/${id}/history`);
    expect(body).toMatchObject({ total: 3 });
  });

  it('is available only to its author and administrators', async () => {
    const [author, other] = [await userWith(), await userWith()];
    const id = await make(author.api, 'Account', { name: 'Mine' });
    // The same error as for a change that does not exist.
    expect(await refusal(other.api, `Account/${id}/1`)).toEqual([404, 'undo.not_found']);
    expect(await refusal(other.api, `Account/${id}/2`)).toEqual([404, 'undo.not_found']);
    const change = await changeMany(author.api, { ids: [id], values: { website: null } });
    expect(await refusal(other.api, change)).toEqual([404, 'undo.not_found']);
    expect(await undo(admin, `Account/${id}/1`)).toMatchObject({ count: 1 });
  });

  it('rejects unsupported bodies and changes', async () => {
    const { api, id } = await userWith();
    expect(await refusal(api, undefined)).toEqual([400, 'body.value_missing']);
    expect(await refusal(api, 7)).toEqual([400, 'body.value_missing']);
    for (const changeId of [
      'x',
      'Account/a',
      'MassAction/nothing',
      'MassAction/\0',
      'Account/a/1/1',
      'Account/a/0',
      'Account/\0/1',
    ]) {
      const [status, code] = (await refusal(api, changeId)) as readonly [number, string];
      expect([status, code.endsWith('not_found')], changeId).toEqual([404, true]);
    }
    expect(await refusal(api, 'MassAction/\0')).toEqual([404, 'undo.not_found']);
    expect((await api.get('/MassAction/%00/status')).status).toBe(404);
    expect((await admin.get('/Undo?userId=%00')).body).toMatchObject({ code: 'parameter.invalid' });
    expect(await refusal(admin, `User/${id}/1`)).toEqual([403, 'undo.not_allowed']);
    expect(await refusal(admin, 'Nothing/a/1')).toEqual([403, 'undo.not_allowed']);
  });

  it('requires the current permissions for its changes', async () => {
    const { api, roleId } = await userWith();
    const id = await make(api, 'Account', { name: 'Rights' });
    await api.put(`/Account/${id}`, { name: 'Lost' });
    const data = { Account: { ...all, edit: 'no', delete: 'no' } };
    expect((await admin.put(`/Role/${roleId}`, { data })).status).toBe(200);
    for (const version of [1, 2]) {
      expect(await undo(api, `Account/${id}/${version}`)).toMatchObject({
        count: 0,
        skipped: [{ reason: 'access.denied' }],
      });
    }
  });
});

describe('the undo of a mass action', () => {
  it('restores records with unchanged values and reports the others', async () => {
    const { api } = await userWith();
    const names = ['A', 'B', 'C', 'D'];
    const ids = await Promise.all(names.map(async (name) => make(api, 'Account', { name })));
    const [a, b, c, d] = ids;
    const change = await changeMany(api, { ids, values: { name: 'All', industry: 'Finance' } });
    await admin.put(`/Account/${b}`, { name: 'Other', industry: null });
    await admin.delete(`/Account/${c}`);
    const result = await undo(api, change);
    expect(result.count).toBe(2);
    expect(result.skipped.map(({ reason, ids: some }) => [reason, some]).toSorted()).toEqual([
      ['record.not_found', [`Account/${c}`]],
      ['undo.changed_since', [`Account/${b}`]],
    ]);
    for (const [id, name] of [
      [a, 'A'],
      [d, 'D'],
    ]) {
      expect((await api.get(`/Account/${id}`)).body).toMatchObject({ name, industry: null });
    }
    expect((await api.get(`/Account/${b}`)).body).toMatchObject({ name: 'Other' });
  });

  it('restores the records of a mass deletion', async () => {
    const { api } = await userWith();
    const ids = [
      await make(api, 'Account', { name: 'X' }),
      await make(api, 'Account', { name: 'Y' }),
    ];
    const change = await changeMany(api, { action: 'delete', ids });
    expect(await undo(api, change)).toMatchObject({ count: 2, skipped: [] });
    for (const id of ids) expect((await api.get(`/Account/${id}`)).status).toBe(200);
  });
});

describe('the undo of a merge', () => {
  it('restores the target, the sources and the references', async () => {
    const { api } = await userWith({ Task: { ...all, edit: 'no' } });
    const target = await make(api, 'Account', { name: 'Target', emailAddress: 't@example.com' });
    const source = await make(api, 'Account', { name: 'Source', emailAddress: 's@example.com' });
    const contact = await make(api, 'Contact', { lastName: 'Linked', accountId: source });
    const task = { name: 'Call', parentType: 'Account', parentId: source, assignedUserId: 'admin' };
    const taskId = await make(admin, 'Task', task);
    const merged = await api.post('/Action', {
      entityType: 'Account',
      id: target,
      action: 'merge',
      data: { sourceIdList: [source], attributes: { name: 'Both' } },
    });
    expect(merged.status, merged.text).toBe(200);
    expect((await api.get(`/Account/${source}`)).body).toMatchObject({
      code: 'record.merged',
      mergedInto: target,
    });
    expect((await api.get(`/Contact/${contact}`)).body).toMatchObject({ accountId: target });
    expect(await recent(api)).toMatchObject([
      { changeId: `Account/${target}/2`, type: 'merged', recordName: 'Both' },
      { type: 'created' },
      { type: 'created' },
      { type: 'created' },
    ]);
    const result = await undo(api, `Account/${target}/2`);
    expect(result).toMatchObject({ count: 4, skipped: [] });
    const { body } = await api.get(`/Account/${target}`);
    expect(body).toMatchObject({ name: 'Target', emailAddress: 't@example.com' });
    expect((body as { emailAddressData: unknown[] }).emailAddressData).toHaveLength(1);
    expect((await api.get(`/Account/${source}`)).body).toMatchObject({ name: 'Source' });
    const linked = { accountId: source, accountName: 'Source', accountsIds: [source] };
    expect((await api.get(`/Contact/${contact}`)).body).toMatchObject(linked);
    expect((await admin.get(`/Task/${taskId}`)).body).toMatchObject({
      parentType: 'Account',
      parentId: source,
    });
  });
});

describe('the list of recent changes', () => {
  it("contains the user's changes, mass actions and undos, newest first", async () => {
    const { id: userId, api } = await userWith();
    const id = await make(api, 'Account', { name: 'Listed' });
    await api.put(`/Account/${id}`, { website: 'https://a.example' });
    const change = await changeMany(api, { ids: [id], values: { name: 'Renamed' } });
    await undo(api, change);
    await api.delete(`/Account/${id}`);
    const expected = [
      { type: 'deleted', changeId: `Account/${id}/5`, recordName: 'Listed' },
      { type: 'massAction', action: 'revert', recordCount: 1 },
      { type: 'massAction', action: 'update', changeId: change, undoneById: expect.any(String) },
      { type: 'updated', changeId: `Account/${id}/2`, attributes: ['website'], undoneById: null },
      { type: 'created', changeId: `Account/${id}/1` },
    ];
    expect(await recent(api)).toMatchObject(expected);
    expect(await recent(api, '?offset=1&maxSize=2')).toMatchObject(expected.slice(1, 3));
    expect((await api.get('/Undo?maxSize=2')).body).toMatchObject({ total: -1 });
    expect((await api.get('/Undo')).body).toMatchObject({ total: -2 });
    expect(await recent(admin, `?userId=${userId}`)).toMatchObject(expected);
    const { api: other } = await userWith();
    expect((await other.get(`/Undo?userId=${userId}`)).status).toBe(403);
    expect(await recent(other)).toEqual([]);
    expect((await api.get('/Undo?offset=1000')).body).toMatchObject({ code: 'parameter.invalid' });
  });
});

describe('a deleted record', () => {
  it('can be restored by the user who deleted it with delete and create access', async () => {
    const [author, other] = [
      await userWith(),
      await userWith({ Account: { ...all, read: 'own', edit: 'own', delete: 'own' } }),
    ];
    const id = await make(author.api, 'Account', { name: 'Bin' });
    await author.api.delete(`/Account/${id}`);
    const restore = async (api: ApiClient, recordId = id) => {
      const { status, body } = await api.post('/Account/action/restoreDeleted', { id: recordId });
      return [status, (body as { readonly code?: string }).code];
    };
    expect(await restore(other.api)).toEqual([403, 'access.denied']);
    expect(await restore((await userWith()).api)).toEqual([403, 'access.admin_only']);
    expect(await restore(author.api, 'nothing')).toEqual([404, 'record.not_found']);
    expect((await other.api.get(`/Account/${id}`)).body).toMatchObject({
      code: 'record.not_found',
    });
    expect(await restore(author.api)).toEqual([200, undefined]);
    expect(await restore(author.api)).toEqual([403, 'access.admin_only']);
    expect((await author.api.get(`/Account/${id}`)).body).toMatchObject({ name: 'Bin' });
  });

  it('is listed for administrators and the user who deleted it until it is restored', async () => {
    const [author, other] = [await userWith(), await userWith()];
    const list = async (api: ApiClient, query = '') => {
      const answer = await api.get(`/Undo/deleted${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body as { readonly total: number; readonly list: readonly object[] };
    };
    const single = await make(author.api, 'Contact', { firstName: 'Ada', lastName: 'Byron' });
    const many = await make(author.api, 'Account', { name: 'Of many' });
    const live = await make(author.api, 'Account', { name: 'Live' });
    await author.api.delete(`/Contact/${single}`);
    await changeMany(author.api, { action: 'delete', ids: [many] });
    const deleted = [
      { entityType: 'Account', recordId: many, recordName: 'Of many' },
      { entityType: 'Contact', recordId: single, recordName: 'Ada Byron' },
    ].map((one) => ({
      ...one,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      deletedById: author.id,
      deletedByName: expect.any(String),
    }));
    const found = await list(author.api);
    expect(found.total).toBe(-2);
    expect(found.list).toHaveLength(2);
    expect(found.list).toEqual(expect.arrayContaining(deleted));
    expect(await list(author.api, '?maxSize=1')).toMatchObject({ total: -1 });
    expect(await list(author.api, '?offset=1')).toEqual({ total: -2, list: found.list.slice(1) });
    expect(await list(author.api, '?entityType=Contact')).toEqual({
      total: -2,
      list: [deleted[1]],
    });
    expect(await list(author.api, `?recordId=${live}`)).toEqual({ total: -2, list: [] });
    expect(await list(author.api, '?entityType=Nothing')).toEqual({ total: -2, list: [] });
    expect(await list(other.api)).toEqual({ total: -2, list: [] });
    expect((await list(admin)).list).toEqual(expect.arrayContaining(deleted));
    expect((await author.api.get('/Undo/deleted?offset=1000')).body).toMatchObject({
      code: 'parameter.invalid',
    });
    expect((await author.api.get('/Undo/deleted?recordId=%00')).body).toMatchObject({
      code: 'parameter.invalid',
    });

    await author.api.post('/Contact/action/restoreDeleted', { id: single });
    expect((await list(author.api)).list).toEqual([deleted[0]]);
    const data = { Account: { ...all, create: 'no' }, Contact: all };
    await admin.put(`/Role/${author.roleId}`, { data });
    expect((await list(author.api)).list).toEqual([]);
  });
});
