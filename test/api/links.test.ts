import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

let annals: StartedAnnals;
let subscriber: Subscriber;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  subscriber = await startSubscriber();
  annals = await startAnnals({
    env: {
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: `example.com:443,${subscriber.address}`,
    },
  });
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  admin = api.as(withPassword(annals.admin));
});
afterAll(async () => {
  api.close();
  await annals.stop();
  await subscriber.close();
});

async function make(entityType: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await api.post(`/${entityType}`, body, { 'X-Skip-Duplicate-Check': 'true' });
  expect(answer.status, answer.text).toBe(200);
  return recordIn(answer);
}

const namesIn = async (path: string) => {
  const { body } = await api.get(path);
  const { total, list } = body as { total: number; list: readonly { name: string }[] };
  expect(total).toBe(list.length);
  return list.map(({ name }) => name).toSorted();
};

/** The API client sends no body with DELETE; clients send one to this link endpoint. */
const unlink = async (path: string, body: object) =>
  api.send({
    method: 'DELETE',
    target: `/api/v1${path}`,
    headers: { 'X-Api-Key': annals.apiKey.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the X-Record-Link-Updated header of an update', () => {
  it('is set when links of the record change and when the request is repeated', async () => {
    const account = await make('Account', { name: 'Changed Ltd' });
    const contact = await make('Contact', { lastName: 'Changed', title: 'x' });
    const change = async (body: object, headers = {}) => {
      const answer = await api.put(`/Contact/${contact['id']}`, body, headers);
      expect(answer.status, answer.text).toBe(200);
      return answer.headers['x-record-link-updated'];
    };
    const key = { 'Idempotency-Key': `linked-${contact['id']}` };
    expect(await change({ accountId: account['id'] }, key)).toBe('true');
    expect(await change({ accountId: account['id'] }, key)).toBe('true');
    expect(await change({ accountId: account['id'], description: 'x' })).toBeUndefined();
    expect(await change({ accountsIds: [] })).toBe('true');
    expect(await change({})).toBeUndefined();
  });
});

describe('every entity type', () => {
  it('can be created, read and found', async () => {
    const account = await make('Account', { name: 'Parent Ltd' });
    const day = '2030-01-31';
    const bodies: Readonly<Record<string, object>> = {
      Opportunity: { name: 'Deal', amount: 500, closeDate: day, stage: 'Proposal' },
      Campaign: { name: 'Spring', startDate: day },
      TargetList: { name: 'Targets' },
      Task: {
        name: 'Do it',
        dateEndDate: day,
        parentType: 'Account',
        parentId: account['id'],
        assignedUserId: 'user',
      },
      Meeting: {
        name: 'Meet',
        dateStart: `${day} 10:00`,
        dateEnd: `${day} 11:00`,
        usersIds: ['admin'],
        assignedUserId: 'user',
      },
      Call: {
        name: 'Ring',
        dateStart: `${day} 10:00`,
        dateEnd: `${day} 10:05`,
        direction: 'Inbound',
        assignedUserId: 'user',
      },
    };
    for (const [entityType, body] of Object.entries(bodies)) {
      const made = await make(entityType, body);
      const read = recordIn(await api.get(`/${entityType}/${made['id']}`));
      expect(read).toMatchObject({ ...made, modifiedAt: read['modifiedAt'] });
      expect(
        await namesIn(
          `/${entityType}?textFilter=${encodeURIComponent(String(made['name']).slice(0, 3))}`,
        ),
      ).toEqual([made['name']]);
    }
    expect((await api.get('/Opportunity')).body).toMatchObject({
      list: [{ probability: 50, amountCurrency: 'USD', amountConverted: 500 }],
    });
    expect((await api.get('/Task')).body).toMatchObject({
      list: [{ parentName: 'Parent Ltd', dateEnd: null, dateEndDate: day, status: 'Not Started' }],
    });
    expect((await api.get(`/Account/${account['id']}/tasks`)).body).toMatchObject({
      total: 1,
      list: [{ name: 'Do it' }],
    });
  });

  it('can be watched by webhooks', async () => {
    for (const entityType of ['Opportunity', 'Campaign', 'TargetList', 'Task', 'Meeting', 'Call']) {
      const webhook = { event: `${entityType}.create`, url: 'https://example.com/hook' };
      const made = await api.post('/Webhook', webhook);
      expect(made.status, made.text).toBe(201);
      expect((await api.delete(`/Webhook/${recordIn(made)['id']}`)).status).toBe(200);
    }
  });

  it('rejects a parent that does not exist or has another type', async () => {
    const task = { name: 'Lost', parentId: 'nobody', assignedUserId: 'user' };
    expect((await api.post('/Task', { ...task, parentType: 'Team' })).status).toBe(400);
    expect((await api.post('/Task', task)).status).toBe(400);
    const missing = await api.post('/Task', { ...task, parentType: 'Account' });
    expect(missing.status).toBe(403);
    expect(missing.body).toMatchObject({
      messageTranslation: { label: 'cannotRelateNonExisting' },
    });
  });
});

describe('the attributes for a copy of a record', () => {
  it('include everything except the id, times and e-mail addresses', async () => {
    const account = await make('Account', {
      name: 'Copied Ltd',
      type: 'Customer',
      emailAddress: 'copied@x.example',
    });
    const path = '/account/action/getDuplicateAttributes';
    const answer = await api.post(path, { id: account['id'] });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ name: 'Copied Ltd', type: 'Customer', teamsIds: [] });
    for (const name of ['id', 'createdAt', 'emailAddress', 'emailAddressData']) {
      expect(answer.body).not.toHaveProperty(name);
    }
    expect((await api.post(path, { id: 'nobody' })).status).toBe(404);
    expect((await api.post(path, {})).status).toBe(400);
  });
});

describe('columns of a link', () => {
  it('are written with the record and returned in lists from either side', async () => {
    const account = await make('Account', { name: 'Role Ltd' });
    const other = await make('Account', { name: 'Other role Ltd' });
    const contact = await make('Contact', {
      lastName: 'Role',
      title: 'CEO',
      accountId: account['id'],
    });
    expect(contact).toMatchObject({
      title: 'CEO',
      accountsColumns: { [String(account['id'])]: { role: 'CEO', isInactive: false } },
    });
    const path = `/Contact/${contact['id']}`;
    const changed = await api.put(path, {
      accountsIds: [account['id'], other['id']],
      accountsColumns: { [String(other['id'])]: { role: 'Advisor', isInactive: 'true' } },
    });
    expect(changed.status, changed.text).toBe(200);
    const { accountsColumns } = recordIn(await api.get(path));
    expect(accountsColumns).toEqual({
      [String(account['id'])]: { role: 'CEO', isInactive: false },
      [String(other['id'])]: { role: 'Advisor', isInactive: true },
    });
    expect((await api.get(`/Account/${other['id']}/contacts`)).body).toMatchObject({
      list: [{ name: 'Role', accountRole: 'Advisor', accountIsInactive: true }],
    });
    expect((await api.get(`${path}/accounts?orderBy=name`)).body).toMatchObject({
      list: [
        { name: 'Other role Ltd', contactRole: 'Advisor', contactIsInactive: true },
        { name: 'Role Ltd', contactRole: 'CEO', contactIsInactive: false },
      ],
    });
    expect((await api.get(`${path}/accounts?offset=5`)).body).toEqual({ total: 2, list: [] });
    const wrong = await api.put(path, { accountsColumns: { [String(other['id'])]: 'x' } });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({
      messageTranslation: { data: { field: 'accounts', type: 'columnsValid' } },
    });
  });
});

describe('computed attributes', () => {
  it('include call durations, lead conversion times and weighted amounts', async () => {
    const call = await make('Call', {
      name: 'Long',
      dateStart: '2030-01-31 10:00',
      duration: 900,
      assignedUserId: 'user',
    });
    expect(call).toMatchObject({ dateEnd: '2030-01-31 10:15:00', duration: 900 });
    const lead = await make('Lead', { lastName: 'Won' });
    const converted = recordIn(await api.put(`/Lead/${lead['id']}`, { status: 'Converted' }));
    expect(converted['convertedAt']).toBe(converted['modifiedAt']);
    const deal = { name: 'Worth', amount: 200, closeDate: '2030-01-31', stage: 'Negotiation' };
    const opportunity = await make('Opportunity', deal);
    expect(opportunity).toMatchObject({ amountWeightedConverted: 160, lastStage: 'Negotiation' });
    const path = `/Opportunity/${opportunity['id']}`;
    await api.put(path, { stage: 'Closed Lost' });
    expect((await api.get(path)).body).toMatchObject({
      probability: 0,
      amountWeightedConverted: 0,
      lastStage: 'Negotiation',
    });
    const nobody = await api.post('/Task', { name: 'Whose?' });
    expect(nobody.status).toBe(400);
    expect(nobody.body).toMatchObject({
      messageTranslation: { data: { field: 'assignedUser', type: 'required' } },
    });
  });

  it('include the current name of a parent', async () => {
    const account = await make('Account', { name: 'Old name Ltd' });
    const task = await make('Task', {
      name: 'Renamed parent',
      parentType: 'Account',
      parentId: account['id'],
      assignedUserId: 'user',
    });
    await api.put(`/Account/${account['id']}`, { name: 'New name Ltd' });
    const read = await api.get(`/Task/${task['id']}`);
    expect(read.body).toMatchObject({ parentType: 'Account', parentName: 'New name Ltd' });
  });
});

describe('a to-many link', () => {
  it('can be changed from either side', async () => {
    const account = await make('Account', { name: 'Linked Ltd' });
    const ann = await make('Contact', { lastName: 'Ann' });
    const bob = await make('Contact', { lastName: 'Bob' });
    const path = `/Account/${account['id']}/contacts`;
    expect((await api.post(path, { ids: [ann['id'], bob['id']] })).text).toBe('true');
    expect((await api.post(path, { id: ann['id'] })).text).toBe('true');
    for (const nothing of [{}, { id: null }, { ids: null }]) {
      expect((await api.post(path, nothing)).text).toBe('false');
    }
    expect(await namesIn(path)).toEqual(['Ann', 'Bob']);
    expect(await namesIn(`${path}?textFilter=bo`)).toEqual(['Bob']);
    expect((await api.get(`/Contact/${ann['id']}`)).body).toMatchObject({
      accountId: account['id'],
      accountName: 'Linked Ltd',
      accountsIds: [account['id']],
      accountsNames: { [String(account['id'])]: 'Linked Ltd' },
    });
    expect(await namesIn(`/Contact/${bob['id']}/accounts`)).toEqual(['Linked Ltd']);
    expect((await unlink(`/Contact/${bob['id']}/accounts`, { id: account['id'] })).text).toBe(
      'true',
    );
    expect((await unlink(path, { ids: [ann['id']] })).text).toBe('true');
    expect(await namesIn(path)).toEqual([]);
    expect((await api.get(`/Contact/${ann['id']}`)).body).toMatchObject({
      accountId: null,
      accountName: null,
    });
  });

  it('updates the link field of the other records', async () => {
    const account = await make('Account', { name: 'Owner Ltd' });
    const one = await make('Case', { name: 'One' });
    const path = `/Account/${account['id']}/cases`;
    expect((await api.post(path, { id: one['id'] })).status).toBe(200);
    expect((await api.get(`/Case/${one['id']}`)).body).toMatchObject({ accountName: 'Owner Ltd' });
    expect(await namesIn(path)).toEqual(['One']);
    expect((await unlink(path, { id: one['id'] })).status).toBe(200);
    expect((await api.get(`/Case/${one['id']}`)).body).toMatchObject({ accountId: null });
    const teams = await api.post(`/Account/${account['id']}/teams`, { id: 'nobody' });
    expect(teams.status).toBe(404);
  });

  it('is rejected for unknown links and records without changing anything', async () => {
    const account = await make('Account', { name: 'Refused Ltd' });
    const path = `/Account/${account['id']}`;
    expect((await api.get(`${path}/nose`)).status).toBe(404);
    expect((await api.post(`${path}/nose`, { id: 'x' })).status).toBe(404);
    expect((await api.post(`${path}/campaign`, { id: 'x' })).status).toBe(403);
    expect((await api.post(`${path}/contacts`, { id: 'nobody' })).status).toBe(404);
    expect((await api.post(`${path}/contacts`, { ids: 'x' })).status).toBe(400);
    for (const id of ['\0', 'a\0b', '\ud800']) {
      expect((await api.post(`${path}/contacts`, { id })).status).toBe(404);
      expect((await unlink(`${path}/contacts`, { ids: [id] })).status).toBe(404);
      expect((await api.post(`${path}/followers`, { ids: [id] })).status).toBe(404);
    }
    expect((await api.post('/Account/nobody/contacts', { id: 'x' })).status).toBe(404);
    expect((await api.get('/Account/nobody/contacts')).status).toBe(404);
    const { body } = await api.get(`${path}/history`);
    expect(body).toMatchObject({ total: 1 });
  });

  it('requires that the record in the path has the version in If-Match', async () => {
    const account = await make('Account', { name: 'Versioned Ltd' });
    const contact = await make('Contact', { lastName: 'Versioned' });
    const [ofAccount, ofContact] = [
      `/Account/${account['id']}/contacts`,
      `/Contact/${contact['id']}/accounts`,
    ];
    const link = (path: string, id: unknown, version: number) =>
      api.post(path, { id }, { 'If-Match': `"v${version}"` });
    expect((await link(ofAccount, contact['id'], 2)).status).toBe(412);
    expect((await link(ofContact, account['id'], 2)).status).toBe(412);
    expect(await namesIn(ofAccount)).toEqual([]);
    expect((await link(ofContact, account['id'], 1)).text).toBe('true');
    expect((await link(ofAccount, contact['id'], 1)).text).toBe('true');
    expect(await namesIn(ofAccount)).toEqual(['Versioned']);
  });

  it('is created together with a new record', async () => {
    const contact = await make('Contact', { lastName: 'First of new' });
    const made = (contactsIds: unknown, headers = {}) =>
      api.post('/Account', { name: 'New and linked Ltd', contactsIds }, headers);
    const skip = { 'X-Skip-Duplicate-Check': 'true' };
    for (const [ids, status] of [
      [[contact['id'], 'x'], 403],
      [['nobody'], 403],
      ['x', 400],
    ] as const) {
      expect((await made(ids, skip)).status).toBe(status);
    }
    expect(await namesIn('/Account?textFilter=New+and+linked')).toEqual([]);
    const headers = { 'Idempotency-Key': `linked-${contact['id']}`, 'X-Strict': 'true' };
    const account = recordIn(await made([contact['id']], headers));
    expect(await namesIn(`/Account/${account['id']}/contacts`)).toEqual(['First of new']);
    expect(recordIn(await made([contact['id']], headers))['id']).toBe(account['id']);
    const { body } = await api.get(`/Contact/${contact['id']}/history`);
    expect(body).toMatchObject({ total: 2 });
  });

  it('does not move an opportunity from another account', async () => {
    const [one, other] = [
      await make('Account', { name: 'One Ltd' }),
      await make('Account', { name: 'Other Ltd' }),
    ];
    const deal = { name: 'Theirs', amount: 1, closeDate: '2030-01-31', accountId: one['id'] };
    const { id } = await make('Opportunity', deal);
    const taken = await api.post(`/Account/${other['id']}/opportunities`, { id });
    expect(taken.status).toBe(403);
    expect(taken.body).toMatchObject({
      messageTranslation: { label: 'cannotLinkAlreadyLinked' },
    });
    expect((await api.post(`/Account/${one['id']}/opportunities`, { id })).text).toBe('true');
    expect(await namesIn(`/Account/${one['id']}/opportunities`)).toEqual(['Theirs']);
  });

  it('lets only administrators add users to teams', async () => {
    const team = recordIn(await admin.post('/Team', { name: 'Linked team' }));
    const path = `/Team/${team['id']}/users`;
    expect((await api.post(path, { id: 'user' })).status).toBe(403);
    expect((await admin.post(path, { id: 'user' })).text).toBe('true');
    expect((await admin.get('/User/user')).body).toMatchObject({ teamsIds: [team['id']] });
    expect((await admin.get(path)).body).toMatchObject({ total: 1, list: [{ id: 'user' }] });
    const position = (body: object, client = admin) =>
      client.put(`/team/${team['id']}/userPosition`, body);
    expect((await position({ id: 'user', position: 'Chief' })).text).toBe('true');
    expect((await admin.get(path)).body).toMatchObject({ list: [{ teamRole: 'Chief' }] });
    expect((await position({ id: 'user', position: 'None' }, api)).status).toBe(403);
    expect((await position({ position: 'None' })).status).toBe(400);
    expect((await position({ id: 'user', position: 'x'.repeat(101) })).status).toBe(400);
    expect((await position({ id: 'admin', position: 'None' })).status).toBe(404);
    expect((await position({ id: 'nobody', position: 'None' })).status).toBe(404);
    expect((await admin.get(path)).body).toMatchObject({ list: [{ teamRole: 'Chief' }] });
  });

  it('links layout sets and working time calendars to teams and users', async () => {
    const ids: Record<string, unknown> = {};
    for (const type of ['LayoutSet', 'WorkingTimeCalendar']) {
      expect((await api.post(`/${type}`, { name: 'Not theirs' })).status).toBe(403);
      ids[type] = recordIn(await admin.post(`/${type}`, { name: `One ${type}` })).id;
    }
    const links = {
      layoutSetId: ids['LayoutSet'],
      workingTimeCalendarId: ids['WorkingTimeCalendar'],
    };
    const names = {
      layoutSetName: 'One LayoutSet',
      workingTimeCalendarName: 'One WorkingTimeCalendar',
    };
    const team = recordIn(await admin.post('/Team', { name: 'With a layout', ...links }));
    expect((await admin.get(`/Team/${team.id}`)).body).toMatchObject({ ...links, ...names });
    expect((await admin.put('/User/user', links)).body).toMatchObject({ ...links, ...names });
    for (const wrong of [{ layoutSetId: 'nothing' }, { workingTimeCalendarId: team.id }]) {
      const refused = await admin.put(`/Team/${team.id}`, wrong);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        messageTranslation: { label: 'cannotRelateNonExisting' },
      });
    }
    const teams = await admin.get(`/LayoutSet/${ids['LayoutSet']}/teams`);
    expect(teams.body).toMatchObject({ total: 1, list: [{ id: team.id }] });
  });

  it('lists meetings and tasks of users and contacts as attendees and as parents', async () => {
    const contact = await make('Contact', { lastName: 'Asked' });
    const at = { dateStart: '2030-01-31 10:00:00', dateEnd: '2030-01-31 11:00:00' };
    const assigned = { ...at, assignedUserId: 'user' };
    const about = { parentType: 'Contact', parentId: contact['id'] };
    await make('Meeting', { ...assigned, name: 'About', ...about });
    const joined = { contactsIds: [contact['id']], usersIds: ['user'] };
    const accepted = { contactsColumns: { [String(contact['id'])]: { status: 'Accepted' } } };
    await make('Meeting', { ...assigned, name: 'With', ...joined, ...accepted });
    await make('Task', { name: 'Theirs', assignedUserId: 'user' });

    expect(await namesIn(`/Contact/${contact['id']}/meetingsChildren`)).toEqual(['About']);
    expect((await api.get(`/Contact/${contact['id']}/meetings`)).body).toMatchObject({
      list: [{ name: 'With', acceptanceStatus: 'Accepted' }],
    });
    expect(await namesIn('/User/user/meetings')).toEqual(['With']);
    expect(await namesIn('/User/user/tasks')).toContain('Theirs');
  });

  it('returns the permissions of a user only to that user and to administrators', async () => {
    const { user, acl } = Object((await api.get('/app/user')).body);
    expect((await admin.get(`/User/${user.id}/acl`)).body).toEqual(acl);
    expect((await api.get(`/User/${user.id}/acl`)).body).toEqual(acl);
    expect((await api.get('/User/admin/acl')).status).toBe(403);
    expect((await admin.get('/User/nobody/acl')).status).toBe(404);
    const hmac = api.as(withHmacHex(annals.hmac));
    expect((await hmac.get('/app/user')).status).toBe(200);
  });

  it('is found by searches on the linked record', async () => {
    const account = await make('Account', { name: 'Searched Ltd' });
    await make('Contact', { lastName: 'Found', accountId: account['id'] });
    await make('Contact', { lastName: 'Other' });
    const where = (item: object) =>
      `/Contact?searchParams=${encodeURIComponent(JSON.stringify({ where: [item] }))}`;
    const ids = [account['id']];
    expect(await namesIn(where({ type: 'linkedWith', attribute: 'accounts', value: ids }))).toEqual(
      ['Found'],
    );
    expect(
      await namesIn(where({ type: 'equals', attribute: 'account.name', value: 'Searched Ltd' })),
    ).toEqual(['Found']);
    expect(
      await namesIn(where({ type: 'startsWith', attribute: 'accountName', value: 'Searched' })),
    ).toEqual(['Found']);
  });
});

describe('webhooks of links', () => {
  it('notify subscribers of both sides when records are linked and unlinked', async () => {
    const events = ['Case.relate.contacts', 'Contact.relate.cases', 'Contact.unrelate.cases'];
    for (const event of events) {
      await registerWebhook(api, { event, url: subscriber.url(`/${event}`) });
    }
    const contact = await make('Contact', { lastName: 'Linked' });
    const link = `/Case/${(await make('Case', { name: 'Links' }))['id']}/contacts`;
    const caseId = link.split('/')[2];
    expect((await api.post(link, { id: contact['id'] })).text).toBe('true');
    expect((await api.post(link, { id: contact['id'] })).status).toBe(200);
    expect((await unlink(link, { id: contact['id'] })).text).toBe('true');
    const expectedEvent = (name: string, foreignType: string, pair: readonly unknown[]) => ({
      link: name,
      foreignType,
      relations: [{ id: pair[0], foreignId: pair[1] }],
    });
    await eventually(() => {
      expect(events.map((event) => subscriber.events(`/${event}`))).toEqual([
        [expectedEvent('contacts', 'Contact', [caseId, contact['id']])],
        [expectedEvent('cases', 'Case', [contact['id'], caseId])],
        [expectedEvent('cases', 'Case', [contact['id'], caseId])],
      ]);
    });
    const unknown = { event: 'Case.relate.friends', url: subscriber.url('/') };
    const refused = await api.post('/Webhook', unknown);
    expect([refused.status, refused.text.includes('friends')]).toEqual([400, true]);
  });
});
