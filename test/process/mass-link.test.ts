import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

/** Enough records that a process can be killed before it finishes. */
const limit = 1_000;

let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    // Two apis, so that commands are forwarded to the owners of partitions.
    env: {
      ANNALS_API_INSTANCES: '2',
      ANNALS_TOPIC_PREFIX: `masslink-${process.pid}`,
      API_MASS_ACTION_LIMIT: `${limit}`,
    },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterAll(async () => {
  admin?.close();
  await product?.remove();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

async function userWith(data: object): Promise<{ readonly id: string; readonly api: ApiClient }> {
  const name = unique('u').replace(' ', '');
  const { id: roleId } = recordIn(await admin.post('/Role', { name, data }));
  const body = { userName: name, type: 'api', rolesIds: [roleId] };
  const user = recordIn(await admin.post('/User', body));
  return { id: user.id, api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

const makeList = async (changes: object = {}) =>
  recordIn(await admin.post('/TargetList', { name: unique('Targets'), ...changes })).id;

async function makeLeads(count: number, accountName: string, changes: object = {}) {
  const made = Array.from({ length: count }, async (_, index) =>
    admin.post(
      '/Lead',
      { lastName: `${accountName} ${index}`, accountName, ...changes },
      { 'X-Skip-Duplicate-Check': 'true' },
    ),
  );
  return (await Promise.all(made)).map((answer) => recordIn(answer).id);
}

const found = (accountName: string, more: object = {}) => ({
  massRelate: true,
  where: [{ type: 'equals', attribute: 'accountName', value: accountName }],
  ...more,
});

const linkedWith = async (list: string, link = 'leads') => {
  const { list: records } = listIn(await admin.get(`/TargetList/${list}/${link}?maxSize=200`));
  return records.map(({ id }) => id).toSorted();
};

const versionsOf = async (id: string) =>
  listIn(await admin.get(`/Lead/${id}/history?order=asc`)).list.map(({ version }) => version);

describe('linking all records of a search', () => {
  it('links every matching record once with one new version each', async () => {
    const [list, name] = [await makeList(), unique('found')];
    const ids = await makeLeads(12, name);
    await makeLeads(2, unique('other'));
    const path = `/TargetList/${list}/leads`;
    const answer = await admin.post(path, found(name));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toBe(true);
    expect(await linkedWith(list)).toEqual(ids.toSorted());
    const { where } = found(name);
    expect((await admin.post(path, { massRelate: true, searchParams: { where } })).body).toBe(true);
    for (const id of ids) expect(await versionsOf(id)).toEqual([1, 2]);
    expect((await admin.post(path, found('no such'))).body).toBe(false);
  });

  it('lets only administrators link users', async () => {
    const list = await makeList();
    const where = [{ type: 'in', attribute: 'id', value: ['admin', 'user'] }];
    const body = { massRelate: true, where };
    expect((await admin.post(`/TargetList/${list}/users`, body)).body).toBe(true);
    expect(await linkedWith(list, 'users')).toEqual(['admin', 'user']);
    const optedOut = { usersColumns: { admin: { optedOut: true } } };
    await admin.put(`/TargetList/${list}`, optedOut);
    const lead = { lastName: unique('Out'), targetListsIds: [list] };
    const { id: leadId } = recordIn(await admin.post('/Lead', lead));
    await admin.put(`/Lead/${leadId}`, { targetListsColumns: { [list]: { optedOut: true } } });
    await admin.post('/Lead', { lastName: unique('In'), targetListsIds: [list] });
    const read = recordIn(await admin.get(`/TargetList/${list}`));
    expect(read['usersIds']).toHaveLength(2);
    expect(read).toMatchObject({ entryCount: 4, optedOutCount: 2 });
    const some = await userWith({ TargetList: { read: 'all' }, Lead: { read: 'own' } });
    await admin.put(`/Lead/${leadId}`, { assignedUserId: some.id });
    const seenBy = async (client: ApiClient) => recordIn(await client.get(`/TargetList/${list}`));
    expect(await seenBy(some.api)).toMatchObject({ entryCount: 3, optedOutCount: 2 });
    const none = await userWith({ TargetList: { read: 'all' } });
    expect(await seenBy(none.api)).toMatchObject({ entryCount: 2, optedOutCount: 1 });
    const key = { 'Idempotency-Key': unique('users') };
    const [one, two] = [await makeList(), await makeList()];
    for (const replayed of [undefined, 'true']) {
      const answer = await admin.post(`/TargetList/${one}/users`, body, key);
      expect([answer.body, answer.headers['idempotency-replayed']]).toEqual([true, replayed]);
    }
    expect((await admin.post(`/TargetList/${two}/users`, body, key)).status).toBe(422);
    const { api } = await userWith({ TargetList: all, User: { read: 'all' } });
    const refused = await api.post(`/TargetList/${await makeList()}/users`, body);
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'link.no_access' }]);
  });

  it('skips records that the user may not edit and ignores unreadable ones', async () => {
    const { id, api } = await userWith({
      TargetList: { ...all, edit: 'all' },
      Lead: { create: 'yes', read: 'own', edit: 'own', delete: 'no' },
    });
    const name = unique('mine');
    const own = await makeLeads(3, name, { assignedUserId: id });
    await makeLeads(2, name);
    const list = await makeList();
    expect((await api.post(`/TargetList/${list}/leads`, found(name))).body).toBe(true);
    expect(await linkedWith(list)).toEqual(own.toSorted());

    const looker = await userWith({ TargetList: all, Lead: { ...all, edit: 'own' } });
    const other = await makeList();
    expect((await looker.api.post(`/TargetList/${other}/leads`, found(name))).body).toBe(false);
    expect(await linkedWith(other)).toEqual([]);
  });

  it('is part of copying a target list', async () => {
    const source = await makeList({ usersIds: ['admin'] });
    await admin.put(`/TargetList/${source}`, { usersColumns: { admin: { optedOut: true } } });
    const name = unique('copied');
    const leads = await makeLeads(3, name, { targetListsIds: [source] });
    const optedOut = { targetListsColumns: { [source]: { optedOut: true } } };
    await admin.put(`/Lead/${leads[0]}`, optedOut);
    const { id: accountId } = recordIn(
      await admin.post('/Account', { name, targetListsIds: [source] }),
    );
    await makeLeads(1, unique('other'));
    const headers = { 'X-Duplicate-Source-Id': source, 'Idempotency-Key': unique('copy') };
    const body = { name: unique('Copy') };
    const answer = await admin.post('/TargetList', body, headers);
    const copy = recordIn(answer).id;
    expect(await linkedWith(copy)).toEqual(leads.toSorted());
    expect(await linkedWith(copy, 'accounts')).toEqual([accountId]);
    expect(recordIn(await admin.get(`/TargetList/${copy}`))).toMatchObject({
      usersIds: ['admin'],
      usersColumns: { admin: { optedOut: true } },
      entryCount: 5,
      optedOutCount: 2,
    });
    expect(recordIn(await admin.get(`/Lead/${leads[0]}`))).toMatchObject({
      targetListsColumns: { [source]: { optedOut: true }, [copy]: { optedOut: true } },
    });
    await admin.delete(`/TargetList/${source}`);
    const again = await admin.post('/TargetList', body, headers);
    expect([again.status, recordIn(again).id]).toEqual([200, copy]);
    expect(await versionsOf(String(leads[1]))).toEqual([1, 2]);
    const other = { ...headers, 'X-Duplicate-Source-Id': copy };
    expect((await admin.post('/TargetList', body, other)).status).toBe(422);
  });

  it('copies only the links that the user may change and none from an unreadable list', async () => {
    const own = { create: 'yes', read: 'own', edit: 'own', delete: 'no' };
    const { id, api } = await userWith({ TargetList: own, Lead: own });
    const [open, closed] = [await makeList({ assignedUserId: id }), await makeList()];
    const name = unique('part');
    const [lead] = await makeLeads(1, name, { targetListsIds: [open], assignedUserId: id });
    await makeLeads(2, name, { targetListsIds: [open] });
    await admin.post('/Account', { name, targetListsIds: [open] });
    const copyOf = async (source: string) =>
      api.post('/TargetList', { name }, { 'X-Duplicate-Source-Id': source });
    expect((await copyOf(closed)).status).toBe(403);
    expect((await copyOf('nothing')).status).toBe(404);
    const where = [{ type: 'equals', attribute: 'name', value: name }];
    const params = encodeURIComponent(JSON.stringify({ where }));
    expect((await admin.get(`/TargetList?searchParams=${params}`)).body).toMatchObject({
      total: 0,
    });
    const copy = recordIn(await copyOf(open)).id;
    expect(await linkedWith(copy)).toEqual([lead]);
    expect(await linkedWith(copy, 'accounts')).toEqual([]);
  });

  it('requires edit access to the list and to the entity type of the records', async () => {
    const list = await makeList();
    const name = unique('closed');
    const ids = await makeLeads(1, name);
    for (const data of [
      { TargetList: { ...all, edit: 'own' }, Lead: all },
      { TargetList: all, Lead: { ...all, edit: 'no' } },
      { TargetList: all },
    ]) {
      const { api } = await userWith(data);
      expect((await api.post(`/TargetList/${list}/leads`, found(name))).status).toBe(403);
    }
    for (const id of ids) expect(await versionsOf(id)).toEqual([1]);
  });

  it.each([
    ['/Account/x/contacts', found('x'), 403, 'link.mass'],
    ['/TargetList/x/campaigns', found('x'), 403, 'link.mass'],
    ['/TargetList/x/leads', found('x'), 404, 'record.not_found'],
    ['/TargetList/x/nothing', found('x'), 404, 'link.unknown'],
    ['/TargetList/x/leads', { massRelate: true }, 400, 'mass_action.body'],
    ['/TargetList/x/leads', { massRelate: true, where: 'all' }, 400, 'where.invalid'],
  ])('is rejected at %s with %j', async (path, body, status, code) => {
    const answer = await admin.post(path, body);
    expect([answer.status, answer.body]).toMatchObject([status, { code }]);
  });

  it('rejects an invalid condition and more records than the limit', async () => {
    const list = await makeList();
    const unknown = [{ type: 'equals', attribute: 'nothing', value: 1 }];
    const path = `/TargetList/${list}/leads`;
    const answer = await admin.post(path, { massRelate: true, where: unknown });
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'where.unknown_attribute' }]);
    const name = unique('many');
    for (let made = 0; made <= limit; made += 100) await makeLeads(100, name);
    const many = await admin.post(path, found(name));
    expect([many.status, many.body]).toMatchObject([400, { code: 'mass_action.too_many' }]);
    expect(await linkedWith(list)).toEqual([]);
  });

  it('runs once per Idempotency-Key, which is valid only for this link', async () => {
    const [list, name] = [await makeList(), unique('keyed')];
    const key = { 'Idempotency-Key': unique('key') };
    const path = `/TargetList/${list}/leads`;
    const ids = await makeLeads(3, name);
    expect((await admin.post(path, found(name), key)).body).toBe(true);
    await makeLeads(2, name);
    const again = await admin.post(path, found(name), key);
    expect(again.body).toBe(true);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await linkedWith(list)).toEqual(ids.toSorted());
    const other = `/TargetList/${await makeList()}/leads`;
    expect((await admin.post(other, found(name), key)).status).toBe(422);
  });

  it('is completed once when both processes die during the run', {
    timeout: 360_000,
  }, async () => {
    const [list, name] = [await makeList(), unique('killed')];
    const ids: string[] = [];
    for (let made = 0; made < limit; made += 100) ids.push(...(await makeLeads(100, name)));
    const answer = admin.post(`/TargetList/${list}/leads`, found(name)).catch(() => undefined);
    await eventually(
      async () => {
        const { total } = listIn(await admin.get(`/TargetList/${list}/leads?maxSize=1`));
        expect(total).toBeGreaterThan(0);
      },
      { timeoutMs: 20_000, intervalMs: 5 },
    );
    for (const api of ['api', 'api2']) product.kill(api);
    await answer;
    for (const api of ['api', 'api2']) await product.waitUntilReady(api);
    const before = listIn(await admin.get(`/TargetList/${list}/leads?maxSize=1`)).total;
    expect(before, 'it completed before the crash').toBeLessThan(limit);
    await eventually(
      async () => {
        const { total } = listIn(await admin.get(`/TargetList/${list}/leads?maxSize=1`));
        expect(total).toBe(limit);
      },
      { timeoutMs: 90_000, intervalMs: 1_000 },
    );
    for (const id of ids) expect(await versionsOf(id)).toEqual([1, 2]);
  });
});
