import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: `links-${process.pid}` } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
});
afterAll(async () => {
  api.close();
  await product.remove();
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

/** The API client has no body with DELETE: this link endpoint is where clients send one. */
const unlink = async (path: string, body: object) =>
  api.send({
    method: 'DELETE',
    target: `/api/v1${path}`,
    headers: { 'X-Api-Key': product.access().apiKey.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('every entity type', () => {
  it('is created, read and found', async () => {
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

  it('refuses a parent of another type, or one that does not exist', async () => {
    const task = { name: 'Lost', parentId: 'nobody', assignedUserId: 'user' };
    expect((await api.post('/Task', { ...task, parentType: 'Team' })).status).toBe(400);
    const missing = await api.post('/Task', { ...task, parentType: 'Account' });
    expect(missing.status).toBe(403);
    expect(missing.body).toMatchObject({
      messageTranslation: { label: 'cannotRelateNonExisting' },
    });
  });
});

describe('a link to many', () => {
  it('is made and removed from either side', async () => {
    const account = await make('Account', { name: 'Linked Ltd' });
    const ann = await make('Contact', { lastName: 'Ann' });
    const bob = await make('Contact', { lastName: 'Bob' });
    const path = `/Account/${account['id']}/contacts`;
    expect((await api.post(path, { ids: [ann['id'], bob['id']] })).text).toBe('true');
    expect((await api.post(path, { id: ann['id'] })).text).toBe('true');
    expect((await api.post(path, {})).text).toBe('false');
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

  it('writes the link field of the others', async () => {
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

  it('is refused where it makes no sense, and changes nothing', async () => {
    const account = await make('Account', { name: 'Refused Ltd' });
    const path = `/Account/${account['id']}`;
    expect((await api.get(`${path}/nose`)).status).toBe(404);
    expect((await api.post(`${path}/nose`, { id: 'x' })).status).toBe(404);
    expect((await api.post(`${path}/campaign`, { id: 'x' })).status).toBe(403);
    expect((await api.post(`${path}/contacts`, { id: 'nobody' })).status).toBe(404);
    expect((await api.post(`${path}/contacts`, { ids: 'x' })).status).toBe(400);
    expect((await api.post('/Account/nobody/contacts', { id: 'x' })).status).toBe(404);
    expect((await api.get('/Account/nobody/contacts')).status).toBe(404);
    const { body } = await api.get(`${path}/history`);
    expect(body).toMatchObject({ total: 1 });
  });

  it('joins users with teams, for administrators', async () => {
    const team = recordIn(await admin.post('/Team', { name: 'Linked team' }));
    const path = `/Team/${team['id']}/users`;
    expect((await api.post(path, { id: 'user' })).status).toBe(403);
    expect((await admin.post(path, { id: 'user' })).text).toBe('true');
    expect((await admin.get('/User/user')).body).toMatchObject({ teamsIds: [team['id']] });
    expect((await admin.get(path)).body).toMatchObject({ total: 1, list: [{ id: 'user' }] });
  });

  it('is found by a search', async () => {
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
