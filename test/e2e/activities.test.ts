import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { unique } from '../support/record-builders.ts';

let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: `activities-${process.pid}` } });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterAll(async () => {
  admin?.close();
  await product?.remove();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

async function userWith(role: object, teamsIds: readonly string[] = []) {
  const name = unique('u').replace(' ', '');
  const { id: roleId } = recordIn(await admin.post('/Role', { name, ...role }));
  const body = { userName: name, type: 'api', rolesIds: [roleId], teamsIds };
  const user = recordIn(await admin.post('/User', body));
  return { id: user.id, api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

/** A time of the wire, so many hours from now. */
function hoursAhead(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

async function make(entityType: string, hours: number, more: object = {}): Promise<string> {
  const dates = { dateStart: hoursAhead(hours), dateEnd: hoursAhead(hours + 1) };
  const body = { name: unique(entityType), assignedUserId: 'admin', ...dates, ...more };
  const answer = await admin.post(`/${entityType}`, body);
  expect(answer.status, answer.text).toBe(200);
  return recordIn(answer).id;
}

const idsIn = (answer: Awaited<ReturnType<ApiClient['get']>>) => {
  expect(answer.status, answer.text).toBe(200);
  return listIn(answer).list.map(({ id }) => id);
};

const makeAccount = async () => recordIn(await admin.post('/Account', { name: unique('About') }));

describe('the activities of a record', () => {
  it('are what is to be done about it, of every type, the latest first', async () => {
    const account = await makeAccount();
    const about = { parentType: 'Account', parentId: account.id };
    const meeting = await make('Meeting', 2, about);
    const call = await make('Call', 3, about);
    const task = await make('Task', 1, about);
    const linked = await make('Meeting', 4, { accountId: account.id });
    const held = await make('Meeting', -5, { ...about, status: 'Held' });
    const done = await make('Task', -4, { ...about, status: 'Completed' });
    await make('Task', 1, { ...about, status: 'Canceled' });
    await make('Meeting', 1, { parentType: 'Account', parentId: (await makeAccount()).id });
    const path = `/Activities/Account/${account.id}`;

    const answer = await admin.get(`${path}/activities`);
    expect(idsIn(answer)).toEqual([linked, call, meeting, task]);
    expect(listIn(answer).total).toBe(4);
    expect(listIn(answer).list[1]).toMatchObject({
      _scope: 'Call',
      status: 'Planned',
      dateStartDate: null,
      assignedUserId: 'admin',
      assignedUserName: expect.any(String),
      ...about,
      parentName: account['name'],
    });
    expect(idsIn(await admin.get(`${path}/history`))).toEqual([done, held]);
    expect(idsIn(await admin.get(`${path}/activities?order=asc&maxSize=2&offset=1`))).toEqual([
      meeting,
      call,
    ]);
    const beyond = listIn(await admin.get(`${path}/activities?offset=10`));
    expect(beyond).toEqual({ total: 4, list: [] });
  });

  it('of a contact are those that it takes part in too', async () => {
    const { id } = recordIn(await admin.post('/Contact', { lastName: unique('Part') }));
    const meeting = await make('Meeting', 1, { contactsIds: [id] });
    const task = await make('Task', 2, { contactId: id });
    const answer = await admin.get(`/Activities/Contact/${id}/activities`);
    expect(idsIn(answer)).toEqual([task, meeting]);
  });

  it('need the scope, and show what may be read', async () => {
    const account = await makeAccount();
    const about = { parentType: 'Account', parentId: account.id };
    const path = `/Activities/Account/${account.id}/activities`;
    const without = await userWith({ data: { Account: all, Meeting: all } });
    expect((await without.api.get(path)).status).toBe(403);

    const { id, api } = await userWith({
      data: { Activities: true, Account: all, Meeting: { ...all, read: 'own' }, Task: all },
      fieldData: { Task: { status: { read: 'no', edit: 'no' } } },
    });
    const own = await make('Meeting', 1, { ...about, assignedUserId: id });
    await make('Meeting', 2, about);
    await make('Task', 3, about);
    await make('Call', 4, about);
    expect(idsIn(await api.get(path))).toEqual([own]);

    const closed = await userWith({
      data: { Activities: true, Account: all, Meeting: all },
      fieldData: { Meeting: { parent: { read: 'no', edit: 'no' } } },
    });
    expect(idsIn(await closed.api.get(path))).toEqual([]);
    const blind = await userWith({ data: { Activities: true, Account: { ...all, read: 'own' } } });
    expect((await blind.api.get(path)).status).toBe(403);
  });

  it('are there for records that activities are about', async () => {
    expect((await admin.get('/Activities/Account/nothing/activities')).status).toBe(404);
    expect((await admin.get('/Activities/Nothing/x/activities')).status).toBe(404);
    expect((await admin.get('/Activities/User/admin/activities')).status).toBe(404);
    const { id } = await makeAccount();
    const answer = await admin.get(`/Activities/Account/${id}/activities?textFilter=x`);
    expect(answer.status).toBe(400);
    const name = `Visit${Date.now()}`;
    await admin.post('/EntityManager/action/createEntity', { name, type: 'Event' });
    const visit = await make(name, 1, { parentType: 'Account', parentId: id });
    expect(idsIn(await admin.get(`/Activities/Account/${id}/activities`))).toEqual([visit]);
  });
});

describe('upcoming activities', () => {
  it('are those of who asks, from now on, the next first', async () => {
    const role = { data: { Activities: true, Meeting: all, Call: all, Task: all } };
    const { id, api } = await userWith(role);
    const mine = { assignedUserId: id };
    const task = await make('Task', 5, mine);
    const meeting = await make('Meeting', 3, { usersIds: [id] });
    const running = await make('Meeting', -0.5, mine);
    await make('Meeting', -5, mine);
    await make('Meeting', 2, { ...mine, status: 'Not Held' });
    await make('Meeting', 2);
    const far = await make('Call', 24 * 20, mine);
    const day = hoursAhead(48).slice(0, 10);
    const whole = await make('Task', 0, {
      ...mine,
      dateStart: null,
      dateEnd: null,
      dateEndDate: day,
    });

    expect(idsIn(await api.get('/Activities/upcoming'))).toEqual([running, meeting, task, whole]);
    expect(idsIn(await api.get('/Activities/upcoming?futureDays=30'))).toContain(far);
    expect(idsIn(await api.get('/Activities/upcoming?entityTypeList[]=Task'))).toEqual([
      task,
      whole,
    ]);
    for (const query of ['futureDays=x', 'futureDays=400', 'where[0][type]=isTrue']) {
      expect((await api.get(`/Activities/upcoming?${query}`)).status, query).toBe(400);
    }
    const without = await userWith({ data: { Meeting: all } });
    expect((await without.api.get('/Activities/upcoming')).status).toBe(403);
  });
});

describe('who may do what with a record', () => {
  it('is told to who may ask about these users', async () => {
    const team = recordIn(await admin.post('/Team', { name: unique('team') }));
    const reader = await userWith({
      data: { Account: { create: 'no', read: 'all', edit: 'own', delete: 'no', stream: 'no' } },
    });
    const mate = await userWith({ data: { Account: { ...all, stream: 'all' } } }, [team.id]);
    const { id } = await makeAccount();
    const path = `/Account/${id}/usersAccess?maxSize=200`;
    const { total, list } = listIn(await admin.get(path));
    expect(total).toBe(list.length);
    const found = (user: string) => list.find((one) => one.id === user);
    expect(found(reader.id)).toMatchObject({
      type: 'api',
      read: true,
      edit: false,
      delete: false,
      stream: false,
    });
    expect(found(mate.id)).toMatchObject({ edit: true, delete: true, stream: true });
    expect(found('admin')).toMatchObject({ type: 'admin', edit: true });

    const role = { data: { Account: all }, userPermission: 'team' };
    const asking = await userWith(role, [team.id]);
    expect(idsIn(await asking.api.get(path)).toSorted()).toEqual([asking.id, mate.id].toSorted());
    expect((await reader.api.get(path)).status).toBe(403);
    const blind = await userWith({
      data: { Account: { ...all, read: 'own' } },
      userPermission: 'all',
    });
    expect((await blind.api.get(path)).status).toBe(403);
    expect((await admin.get('/Account/nothing/usersAccess')).status).toBe(404);
    expect((await admin.get('/Role/x/usersAccess')).status).toBe(404);
  });
});
