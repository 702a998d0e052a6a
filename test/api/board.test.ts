import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let admin: ApiClient;
let api: ApiClient;

beforeAll(async () => {
  annals = await startAnnals();
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  admin = api.as(withPassword(annals.admin));
});
afterAll(async () => {
  api.close();
  await annals.stop();
});

const path = '/Kanban/order';

describe('PUT Kanban/order', () => {
  it('moves cards to the beginning of their group, but only for the requesting user', async () => {
    const ids: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      const lead = { lastName: unique(name), status: 'Assigned', description: 'board' };
      ids.push(String(recordIn(await api.post('/Lead', lead)).id));
    }
    const [first = '', second = '', third = ''] = ids;
    const shown = async (client: ApiClient) => {
      const condition =
        'where[0][type]=equals&where[0][attribute]=description&where[0][value]=board';
      const answer = await client.get(`/Kanban/Lead?orderBy=createdAt&order=asc&${condition}`);
      const { groups } = answer.body as {
        groups: readonly { readonly name: string; readonly list: readonly { id: string }[] }[];
      };
      return groups.find(({ name }) => name === 'Assigned')?.list.map(({ id }) => id);
    };
    const of = { entityType: 'Lead', group: 'Assigned' };
    const moved = await api.put(path, { ...of, ids: [third] });
    expect([moved.status, moved.body]).toEqual([200, true]);
    expect(moved.headers['x-consistency-token']).toBeTruthy();
    expect((await shown(api))?.[0]).toBe(third);
    await api.put(path, { ...of, ids: [second] });
    expect(await shown(api)).toEqual([second, third, first]);
    expect((await shown(admin))?.toSorted()).toEqual(ids.toSorted());
    expect((await api.put(path, { ...of, ids: [second] })).status).toBe(200);
    expect(await shown(api)).toEqual([second, third, first]);
  });

  it('accepts more than 50 ids, which need not exist', async () => {
    const ids = Array.from({ length: 80 }, (_, index) => `unknown${index}`);
    const { status, body } = await api.put(path, { entityType: 'Task', group: 'Started', ids });
    expect([status, body]).toEqual([200, true]);
  });

  it.each([
    [{ entityType: 'Lead', group: 'Nowhere', ids: [] }, 403, 'kanban.unknown_group'],
    [{ entityType: 'Opportunity', group: 'Closed Lost', ids: [] }, 403, 'kanban.unknown_group'],
    [{ entityType: 'Account', group: 'New', ids: [] }, 400, 'kanban.no_status'],
    [{ entityType: 'Nothing', group: 'New', ids: [] }, 404, 'entity.unknown'],
    [{ entityType: 'Lead', group: 'New' }, 400, 'body.value_missing'],
    [{ entityType: 'Lead', group: 'New', ids: 'x' }, 400, 'body.value_missing'],
    [{ entityType: 'Lead', group: 'New', ids: ['a b'] }, 400, 'body.value_missing'],
    [{ entityType: 'Lead', ids: [] }, 400, 'body.value_missing'],
    [{ group: 'New', ids: [] }, 400, 'body.value_missing'],
  ])('rejects %j with %d %s', async (body, status, code) => {
    expect(await api.put(path, body)).toMatchObject({ status, body: { code } });
  });

  it('is rejected without read access, and has no other methods', async () => {
    const role = await admin.post('/Role', {
      name: unique('Board'),
      data: { Account: { read: 'all' } },
    });
    const user = { userName: unique('b').replace(' ', ''), type: 'api' };
    const { apiKey } = recordIn(
      await admin.post('/User', { ...user, rolesIds: [recordIn(role).id] }),
    );
    const client = admin.as(withApiKey({ apiKey: String(apiKey) }));
    const denied = await client.put(path, { entityType: 'Lead', group: 'New', ids: [] });
    expect(denied).toMatchObject({ status: 403, body: { code: 'access.denied' } });
    expect((await client.get('/Kanban/Lead')).status).toBe(403);
    expect((await api.post(path, {})).status).toBe(405);
  });
});
