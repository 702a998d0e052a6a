import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals({ env: { API_CUSTOM_PREFIX: 'taken' } });
  admin = createApiClient(annals.url, withPassword(annals.admin));
});
afterAll(async () => {
  admin?.close();
  await annals?.stop();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

async function userWith(role: object, teamsIds: readonly string[] = []) {
  const name = unique('u').replace(' ', '');
  const { id: roleId } = recordIn(await admin.post('/Role', { name, ...role }));
  const body = { userName: name, type: 'api', rolesIds: [roleId], teamsIds };
  const user = recordIn(await admin.post('/User', body));
  return { id: user.id, api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

/** Returns a wire-format time that many hours from now. */
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

/**
 * Creates activities about an account, one per kind of permission, and a user who may read only the first of
 * them.
 */
async function makeForOwnReader() {
  const account = await makeAccount();
  const about = { parentType: 'Account', parentId: account.id };
  const { id, api } = await userWith({
    data: { Activities: true, Account: all, Meeting: { create: 'yes', read: 'own' }, Task: all },
    fieldData: { Task: { status: { read: 'no', edit: 'no' } } },
  });
  const own = await make('Meeting', 1, { ...about, assignedUserId: id });
  await make('Meeting', 2, about);
  await make('Task', 3, about);
  await make('Call', 4, about);
  return { account, api, own };
}

describe('the activities of a record', () => {
  it('contain planned activities of every type, latest first', async () => {
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

  it('include activities that a contact takes part in', async () => {
    const { id } = recordIn(await admin.post('/Contact', { lastName: unique('Part') }));
    const meeting = await make('Meeting', 1, { contactsIds: [id] });
    const task = await make('Task', 2, { contactId: id });
    const answer = await admin.get(`/Activities/Contact/${id}/activities`);
    expect(idsIn(answer)).toEqual([task, meeting]);
  });

  it('can be limited to one type with the requested order, filter and columns', async () => {
    const account = await makeAccount();
    const about = { parentType: 'Account', parentId: account.id };
    const path = `/Activities/Account/${account.id}`;
    const meeting = await make('Meeting', 2, about);
    const linked = await make('Meeting', 4, { accountId: account.id, description: 'linked' });
    const held = await make('Meeting', -5, { ...about, status: 'Held' });
    await make('Call', 3, about);
    await make('Meeting', 1, { parentType: 'Account', parentId: (await makeAccount()).id });

    const answer = await admin.get(`${path}/activities/list/Meeting`);
    expect(idsIn(answer)).toEqual([linked, meeting]);
    expect(listIn(answer)).toMatchObject({
      total: 2,
      list: [{ description: 'linked', createdById: 'admin', isAllDay: false }, about],
    });
    expect(listIn(answer).list[0]).not.toHaveProperty('_scope');
    expect(idsIn(await admin.get(`${path}/history/list/Meeting`))).toEqual([held]);
    expect(idsIn(await admin.get(`${path}/history/list/Task`))).toEqual([]);
    const asked = 'orderBy=dateStart&order=asc&maxSize=1&offset=1&select=name';
    const page = listIn(await admin.get(`${path}/activities/list/Meeting?${asked}`));
    expect(page).toMatchObject({ total: 2, list: [{ id: linked }] });
    expect(page.list[0]).not.toHaveProperty('description');
    const where = encodeURIComponent('[{"type":"isNotNull","attribute":"description"}]');
    const found = await admin.get(`${path}/activities/list/Meeting?where=${where}`);
    expect(idsIn(found)).toEqual([linked]);
    for (const type of ['Account', 'Nothing', 'User', 'meeting']) {
      const none = await admin.get(`${path}/activities/list/${type}`);
      expect([none.status, none.body], type).toMatchObject([404, { code: 'activities.none' }]);
    }
  });

  it('contain only readable activities when one type is requested', async () => {
    const { account, api, own } = await makeForOwnReader();
    const path = `/Activities/Account/${account.id}/activities/list`;
    expect(idsIn(await api.get(`${path}/Meeting`))).toEqual([own]);
    expect(idsIn(await api.get(`${path}/Task`))).toEqual([]);
    expect((await api.get(`${path}/Call`)).status).toBe(403);

    const closed = await userWith({
      data: { Activities: true, Account: all, Meeting: all },
      fieldData: { Meeting: { parent: { read: 'no', edit: 'no' } } },
    });
    expect(idsIn(await closed.api.get(`${path}/Meeting`))).toEqual([]);
    const without = await userWith({ data: { Account: all, Meeting: all } });
    expect((await without.api.get(`${path}/Meeting`)).status).toBe(403);
    const blind = await userWith({
      data: { Activities: true, Account: { create: 'yes', read: 'own' }, Meeting: all },
    });
    expect((await blind.api.get(`${path}/Meeting`)).status).toBe(403);
  });

  it('require the Activities scope and include only readable ones', async () => {
    const { account, api, own } = await makeForOwnReader();
    const path = `/Activities/Account/${account.id}/activities`;
    const without = await userWith({ data: { Account: all, Meeting: all } });
    expect((await without.api.get(path)).status).toBe(403);
    expect(idsIn(await api.get(path))).toEqual([own]);

    const closed = await userWith({
      data: { Activities: true, Account: all, Meeting: all },
      fieldData: { Meeting: { parent: { read: 'no', edit: 'no' } } },
    });
    expect(idsIn(await closed.api.get(path))).toEqual([]);
    const blind = await userWith({
      data: { Activities: true, Account: { create: 'yes', read: 'own' } },
    });
    expect((await blind.api.get(path)).status).toBe(403);
  });

  it('return 404 for unknown records and for entity types without activities', async () => {
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
  it("are the caller's future activities, earliest first", async () => {
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
    const chosen = await api.get('/Activities/upcoming?entityTypeList=Call,Meeting');
    expect(idsIn(chosen)).toEqual([running, meeting]);
    for (const query of ['futureDays=x', 'futureDays=400', 'where[0][type]=isTrue']) {
      expect((await api.get(`/Activities/upcoming?${query}`)).status, query).toBe(400);
    }
    const without = await userWith({ data: { Meeting: all } });
    expect((await without.api.get('/Activities/upcoming')).status).toBe(403);
  });
});

const calendar = { Activities: true, Calendar: true, Meeting: all, Call: all, Task: all };
const oneDay = '/Activities?from=2040-05-02%2008:00:00&to=2040-05-03+08:00:00';

/** Creates a meeting of a user that starts at this time, and also ends then unless the fields override that. */
async function makeAt(userId: string, dateStart: string, more: object = {}): Promise<string> {
  return make('Meeting', 0, { assignedUserId: userId, dateStart, dateEnd: dateStart, ...more });
}

const itemsIn = (answer: Awaited<ReturnType<ApiClient['get']>>) => {
  expect(answer.status, answer.text).toBe(200);
  return answer.body as readonly { readonly id: string; readonly scope: string }[];
};
const idsOf = (answer: Awaited<ReturnType<ApiClient['get']>>) =>
  itemsIn(answer).map(({ id }) => id);

describe('the calendar', () => {
  it('lists all activities between two times in order of time', async () => {
    const { id, api } = await userWith({ data: calendar });
    const account = await makeAccount();
    const about = { parentType: 'Account', parentId: account.id };
    const late = await makeAt(id, '2040-05-03 07:59:59', { dateEnd: '2040-05-03 12:00:00' });
    const early = await makeAt(id, '2040-05-01 20:00:00', { dateEnd: '2040-05-02 08:00:01' });
    const short = await makeAt(id, '2040-05-02 08:00:00', { status: 'Held', ...about });
    const long = await makeAt(id, '2040-05-01 00:00:00', { dateEnd: '2040-06-01 00:00:00' });
    const asked = await makeAt('admin', '2040-05-02 10:00:00', { usersIds: [id] });
    await makeAt(id, '2040-05-02 06:00:00', { dateEnd: '2040-05-02 08:00:00' });
    await makeAt(id, '2040-05-03 08:00:00', { dateEnd: '2040-05-03 09:00:00' });
    await makeAt('admin', '2040-05-02 10:00:00');
    const gone = await makeAt(id, '2040-05-02 11:00:00');
    await admin.delete(`/Meeting/${gone}`);
    const day = { dateStart: null, dateEnd: null, dateEndDate: '2040-05-02' };
    const due = await make('Task', 0, { assignedUserId: id, ...day });
    const dueBefore = { ...day, dateEndDate: '2040-05-01' };
    await make('Task', 0, { assignedUserId: id, ...dueBefore });

    const items = itemsIn(await api.get(oneDay));
    expect(items.map((item) => item.id)).toEqual([long, early, due, short, asked, late]);
    expect(items[3]).toMatchObject({
      scope: 'Meeting',
      status: 'Held',
      dateStart: '2040-05-02 08:00:00',
      assignedUserId: id,
      assignedUserName: expect.any(String),
      ...about,
      parentName: null,
    });
    const seen = itemsIn(await admin.get(`${oneDay}&userId=${id}`));
    expect(seen[3]).toMatchObject({ id: short, parentName: account['name'] });
    expect(items[2]).toMatchObject({ scope: 'Task', dateEndDate: '2040-05-02', dateStart: null });
    expect(items[0]).not.toHaveProperty('_scope');
    expect(idsOf(await api.get(`${oneDay}&scopeList=Task,Call`))).toEqual([due]);
    expect(idsOf(await api.get(`${oneDay}&scopeList[]=Meeting&userId=${id}`))).toHaveLength(5);
    const days = '/Activities?from=2040-05-02&to=2040-05-03';
    expect(idsOf(await api.get(days))).toEqual(expect.arrayContaining([short, due]));
    expect(idsOf(await api.get(days))).not.toContain(late);
    const offset = '/Activities?from=2040-05-03T09:30:00%2B02:00&to=2040-05-03T10:00:00%2B02:00';
    expect(idsOf(await api.get(offset))).toEqual([long, late]);
  });

  it("shows other users' readable activities to callers with the calendar permission", async () => {
    const team = recordIn(await admin.post('/Team', { name: unique('team') }));
    const teamsIds = [team.id];
    const mate = await userWith({ data: calendar }, teamsIds);
    const stranger = await userWith({ data: calendar });
    const own = { ...calendar, Meeting: { create: 'yes', read: 'own' } };
    const narrow = await userWith({ data: own, userCalendarPermission: 'all' });
    const ofTeam = await userWith({ data: calendar, userCalendarPermission: 'team' }, teamsIds);
    const meeting = await makeAt(mate.id, '2040-05-02 10:00:00');
    const shared = { assignedUserId: narrow.id, usersIds: [mate.id, stranger.id] };
    const both = await makeAt(narrow.id, '2040-05-02 11:00:00', shared);
    const ofMate = `${oneDay}&userId=${mate.id}`;

    expect(idsOf(await mate.api.get(ofMate))).toEqual([meeting, both]);
    expect(idsOf(await admin.get(ofMate))).toEqual([meeting, both]);
    expect(idsOf(await ofTeam.api.get(ofMate))).toEqual([meeting, both]);
    expect(idsOf(await narrow.api.get(ofMate))).toEqual([both]);
    expect((await stranger.api.get(ofMate)).status).toBe(403);
    expect((await ofTeam.api.get(`${oneDay}&userId=${stranger.id}`)).status).toBe(403);
    expect((await ofTeam.api.get(`${oneDay}&userId=nobody`)).status).toBe(403);
    expect((await admin.get(`${oneDay}&userId=nobody`)).status).toBe(404);

    const between = oneDay.replace('/Activities', '/Timeline');
    const users = [mate.id, stranger.id, ofTeam.id];
    const timeline = await admin.get(`${between}&userIdList=${users.join(',')}`);
    const found = Object.entries(Object(timeline.body)).map(([user, items]) => [
      user,
      (items as readonly { readonly id: string }[]).map(({ id }) => id),
    ]);
    const expected = { [mate.id]: [meeting, both], [stranger.id]: [both], [ofTeam.id]: [] };
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(Object.keys(Object((await stranger.api.get(between)).body))).toEqual([stranger.id]);
    const denied = `${between}&userIdList[]=${mate.id}&userIdList[]=${stranger.id}`;
    expect((await ofTeam.api.get(denied)).status).toBe(403);
  });

  it('requires the Calendar scope and omits values of closed fields', async () => {
    const { Calendar: _, ...without } = calendar;
    expect((await (await userWith({ data: without })).api.get(oneDay)).status).toBe(403);
    const closed = { read: 'no', edit: 'no' };
    const { id, api } = await userWith({
      data: calendar,
      fieldData: { Meeting: { name: closed, status: closed }, Task: { dateEnd: closed } },
    });
    const meeting = await makeAt(id, '2040-05-02 10:00:00');
    await make('Task', 0, { assignedUserId: id, dateStart: '2040-05-02 10:00:00', dateEnd: null });
    const items = itemsIn(await api.get(oneDay));
    expect(items).toMatchObject([{ id: meeting, name: null, status: null }]);
    expect(items).toHaveLength(1);
    await make('Task', 1, { assignedUserId: id });
    expect(idsIn(await api.get('/Activities/upcoming'))).toEqual([]);
  });

  it('rejects invalid ranges and parameters with 400', async () => {
    const range = oneDay.split('?')[1];
    for (const query of [
      'from=2040-05-02',
      'to=2040-05-02',
      'from=x&to=2040-05-02',
      'from=2040-05-02&to=2040-02-30',
      'from=2040-05-02&to=2040-05-02',
      'from=2040-05-03&to=2040-05-02',
      'from=2040-05-02&to=2041-05-04',
      `${range}&scopeList=Meeting,Account`,
      `${range}&teamIdList=a`,
      `${range}&userIdList=a`,
      `${range}&where[0][type]=isTrue`,
      `${range}&maxSize=5`,
    ]) {
      expect((await admin.get(`/Activities?${query}`)).status, query).toBe(400);
    }
    const many = Array.from({ length: 51 }, (_, index) => `u${index}`).join(',');
    expect((await admin.get(`/Timeline?${range}&userIdList=${many}`)).status).toBe(400);
  });

  it('returns 400 instead of a partial list when a range has more than 1,000 items', async () => {
    const { id, api } = await userWith({ data: calendar });
    const rounds = Array.from({ length: 10 }, (_, index) => index);
    for (const round of rounds) {
      const hundred = Array.from({ length: 100 }, () => makeAt(id, `2040-05-02 1${round}:00:00`));
      await Promise.all(hundred);
    }
    expect(idsOf(await api.get(oneDay))).toHaveLength(1_000);
    await makeAt(id, '2040-05-02 09:00:00');
    const answer = await api.get(oneDay);
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'calendar.too_many' }]);
    expect(idsOf(await api.get(`${oneDay}&scopeList=Task`))).toEqual([]);
  });
});

describe('the list of users who may access a record', () => {
  it('requires the permission to see these users', async () => {
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
      data: { Account: { create: 'yes', read: 'own' } },
      userPermission: 'all',
    });
    expect((await blind.api.get(path)).status).toBe(403);
    expect((await admin.get('/Account/nothing/usersAccess')).status).toBe(404);
    expect((await admin.get('/Role/x/usersAccess')).status).toBe(404);
  });
});

describe('attendees', () => {
  it.each(['Meeting', 'Call'])('are listed for a %s with their acceptance status', async (type) => {
    const role = { data: { [type]: { read: 'all' } } };
    const [ann, ben] = [await userWith(role), await userWith(role)];
    const emailAddress = `carla.${type.toLowerCase()}@example.com`;
    const contact = recordIn(
      await admin.post('/Contact', { lastName: unique('Carla'), emailAddress }),
    );
    const id = await make(type, 1, { usersIds: [ann.id], contactsIds: [contact.id] });
    const set = `/${type}/action/setAcceptanceStatus`;
    const accepted = await ann.api.post(set, { id, status: 'Accepted' });
    expect([accepted.status, accepted.body]).toEqual([200, true]);
    const before = await admin.get(`/${type}/${id}`);
    expect((await ann.api.post(set, { id, status: 'Accepted' })).body).toBe(true);
    expect((await admin.get(`/${type}/${id}`)).headers['etag']).toBe(before.headers['etag']);

    const list = [
      { id: ann.id, acceptanceStatus: 'Accepted', emailAddress: null, _scope: 'User' },
      { id: contact.id, acceptanceStatus: 'None', emailAddress, _scope: 'Contact' },
    ];
    const shown = await admin.get(`/${type}/${id}/attendees`);
    expect(shown.body).toMatchObject({ list });
    expect(Object.keys(Object(shown.body))).toEqual(['list']);
    const hidden = (await ben.api.get(`/${type}/${id}/attendees`)).text;
    expect(hidden).toContain('dummy@dummy.dummy');
    expect(hidden).not.toContain(emailAddress);

    for (const [client, body, status] of [
      [ben.api, { id, status: 'Accepted' }, 403],
      [ann.api, { id, status: 'None' }, 400],
      [ann.api, { id, status: 'Maybe' }, 400],
      [ann.api, { status: 'Accepted' }, 400],
      [ann.api, { id: 'nothing', status: 'Accepted' }, 404],
    ] as const) {
      expect((await client.post(set, body)).status).toBe(status);
    }
    expect((await admin.get(`/${type}/nothing/attendees`)).status).toBe(404);
  });
});

describe('reminders', () => {
  const popup = (...seconds: readonly number[]) =>
    seconds.map((one) => ({ type: 'Popup', seconds: one }));
  const reminderUser = () =>
    userWith({ data: { Meeting: { create: 'yes', read: 'own', edit: 'own' }, Task: all } });
  type User = Awaited<ReturnType<typeof reminderUser>>;

  async function dueFor({ api }: Pick<User, 'api'>) {
    const answer = await api.get('/PopupNotification/action/grouped');
    expect(answer.status, answer.text).toBe(200);
    return (answer.body as { event: { id: string; data: { id: string } }[] }).event;
  }
  const dueIds = async (user: User) => (await dueFor(user)).map(({ data }) => data.id);
  const dismiss = (user: User, id: unknown) =>
    user.api.post('/Activities/action/removePopupNotification', { id });

  it('are due for the assigned user and the attendees of planned activities that they may read', async () => {
    const [ann, bob] = [await reminderUser(), await reminderUser()];
    const reminders = popup(86_400, 7_200);
    const mine = { assignedUserId: ann.id, reminders };
    const meeting = await make('Meeting', 1, { ...mine, usersIds: [bob.id] });
    const task = await make('Task', -0.5, { ...mine, dateStart: null });
    await make('Meeting', 48, mine);
    await make('Meeting', -25, mine);
    await make('Meeting', 1, { ...mine, status: 'Held' });
    await make('Meeting', 1, { assignedUserId: ann.id, reminders: [] });
    await make('Meeting', 1, { ...mine, reminders: [{ type: 'Email', seconds: 7_200 }] });
    await make('Call', 1, mine);
    expect(await dueIds(ann)).toEqual([task, meeting]);
    expect((await dueFor(ann))[1]).toEqual({
      id: expect.stringMatching(`^${meeting}\\.\\d+\\.7200$`),
      data: {
        id: meeting,
        entityType: 'Meeting',
        name: expect.any(String),
        dateField: 'dateStart',
        attributes: { dateStart: expect.any(String), dateStartDate: null },
      },
    });
    expect((await dueFor(ann))[0]).toMatchObject({
      data: { dateField: 'dateEnd', attributes: { dateEnd: expect.any(String) } },
    });
    // The role of Bob grants access to own records only.
    expect(await dueIds(bob)).toEqual([]);
  });

  it('are omitted for users who declined the invitation', async () => {
    const user = await userWith({ data: { Meeting: all } });
    const meeting = await make('Meeting', 1, { usersIds: [user.id], reminders: popup(7_200) });
    expect(await dueIds(user)).toEqual([meeting]);
    const respond = '/Meeting/action/setAcceptanceStatus';
    await user.api.post(respond, { id: meeting, status: 'Declined' });
    expect(await dueIds(user)).toEqual([]);
  });

  it('stay dismissed for one user until the activity is moved', async () => {
    const user = await reminderUser();
    const meeting = await make('Meeting', 1, {
      assignedUserId: user.id,
      reminders: popup(7_200),
    });
    const [reminder] = await dueFor(user);
    expect((await dismiss(user, reminder?.id)).body).toBe(true);
    expect(await dueFor(user)).toEqual([]);
    await admin.put(`/Meeting/${meeting}`, { dateStart: hoursAhead(1.5) });
    expect(await dueIds(user)).toEqual([meeting]);
    for (const unknown of ['unknown', `${reminder?.id}`, 'x.1.2']) {
      expect((await dismiss(user, unknown)).body).toBe(true);
    }
    expect((await dismiss(user, 5)).status).toBe(400);
    expect(await dueIds(user)).toEqual([meeting]);
  });

  it('default to those in the preferences of the user', async () => {
    const user = await reminderUser();
    const meeting = await make('Meeting', 1, { assignedUserId: user.id });
    expect(await dueIds(user)).toEqual([]);
    const preferences = { defaultReminders: popup(7_200), timeZone: 'Europe/Berlin' };
    await user.api.put(`/Preferences/${user.id}`, preferences);
    expect(await dueIds(user)).toEqual([meeting]);
    await admin.put(`/Meeting/${meeting}`, { reminders: [] });
    expect(await dueIds(user)).toEqual([]);
  });

  it('reject lists that are invalid or have more than 10 entries', async () => {
    const id = await make('Meeting', 1, { reminders: popup(600) });
    expect((await admin.get(`/Meeting/${id}`)).body).toMatchObject({ reminders: popup(600) });
    for (const [reminders, type] of [
      [popup(-1), 'valid'],
      ['600', 'valid'],
      [popup(...Array(11).fill(600)), 'maxCount'],
    ]) {
      const { status, body } = await admin.put(`/Meeting/${id}`, { reminders });
      expect([status, body]).toMatchObject([400, { errors: [{ field: 'reminders', type }] }]);
    }
  });
});
