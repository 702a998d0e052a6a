import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
  type WireRecord,
} from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  // Two apis, so that commands are forwarded to the owners of partitions.
  const env = {
    API_CUSTOM_PREFIX: 'taken',
    ANNALS_API_INSTANCES: '2',
    ANNALS_TOPIC_PREFIX: `merge-${process.pid}`,
  };
  product = await startProduct({ env });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterAll(async () => {
  admin.close();
  await product.remove();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

async function make(entityType: string, body: object): Promise<WireRecord> {
  return recordIn(await admin.post(`/${entityType}`, body, { 'X-Skip-Duplicate-Check': 'true' }));
}

const makeContact = async (body: object = {}) =>
  make('Contact', { lastName: unique('Ray'), ...body });

const merge = async (
  id: string,
  sourceIdList: readonly string[],
  { attributes = {}, entityType = 'Contact', headers = {}, api = admin } = {},
) =>
  api.post(
    '/Action',
    { entityType, id, action: 'merge', data: { sourceIdList, attributes } },
    headers,
  );

const isGone = async (entityType: string, id: string) =>
  recordIn(await admin.get(`/${entityType}/${id}`))['deleted'] === true;

describe('contacts that are merged', () => {
  it('become one contact with all addresses, links and roles', async () => {
    const [home, work] = [
      await make('Account', { name: 'Home' }),
      await make('Account', { name: 'Work' }),
    ];
    const target = await makeContact({ emailAddress: 'One@x.co', accountId: home.id });
    const source = await makeContact({
      emailAddress: 'two@x.co',
      phoneNumber: '+442012345678',
      accountId: work.id,
      title: 'Owner',
    });
    const deal = await make('Opportunity', {
      name: 'Deal',
      amount: 1,
      closeDate: '2030-01-01',
      contactId: source.id,
      contactsColumns: { [source.id]: { role: 'Decision Maker' } },
    });
    const ticket = await make('Case', { name: 'Printer', contactId: source.id });
    const task = await make('Task', {
      name: 'Call',
      parentType: 'Contact',
      parentId: source.id,
      assignedUserId: 'admin',
    });

    const answer = await merge(target.id, [source.id], { attributes: { description: 'Both' } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).not.toContain('mergePlan');
    const merged = recordIn(answer);
    expect(merged).toMatchObject({
      id: target.id,
      description: 'Both',
      emailAddress: 'One@x.co',
      phoneNumber: '+442012345678',
      accountId: home.id,
      accountsIds: [home.id, work.id],
      accountsColumns: { [work.id]: { role: 'Owner' } },
    });
    expect(merged['emailAddressData']).toMatchObject([
      { emailAddress: 'One@x.co', primary: true },
      { emailAddress: 'two@x.co', primary: false },
    ]);
    expect(recordIn(await admin.get(`/Contact/${target.id}`))).toEqual(merged);
    expect(await isGone('Contact', source.id)).toBe(true);

    expect(recordIn(await admin.get(`/Opportunity/${deal.id}`))).toMatchObject({
      contactId: target.id,
      contactName: target['name'],
      contactsIds: [target.id],
      contactsColumns: { [target.id]: { role: 'Decision Maker' } },
    });
    expect(recordIn(await admin.get(`/Case/${ticket.id}`))).toMatchObject({
      contactId: target.id,
      contactsIds: [target.id],
    });
    expect(recordIn(await admin.get(`/Task/${task.id}`))).toMatchObject({
      parentId: target.id,
      parentName: target['name'],
    });
    const history = listIn(await admin.get(`/Case/${ticket.id}/history`));
    expect(history.total).toBe(2);
  });

  it('can be merged with the request format of older clients', async () => {
    const [target, source] = [await makeContact(), await makeContact()];
    const body = { targetId: target.id, sourceIds: [source.id], attributeMap: { title: 'Old' } };
    const answer = await admin.post('/Contact/action/merge', body);
    expect(recordIn(answer)).toMatchObject({ id: target.id, title: 'Old' });
    expect(await isGone('Contact', source.id)).toBe(true);
  });

  it('are merged once per Idempotency-Key', async () => {
    const [target, source] = [await makeContact(), await makeContact({ emailAddress: 'k@x.co' })];
    const headers = { 'Idempotency-Key': unique('merge') };
    const first = await merge(target.id, [source.id], { headers });
    const again = await merge(target.id, [source.id], { headers });
    expect(recordIn(again)).toEqual(recordIn(first));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await merge(target.id, [source.id])).status).toBe(404);
  });

  it('can be restored and are merged again only on request', async () => {
    const [target, source] = [await makeContact(), await makeContact({ doNotCall: true })];
    expect((await merge(target.id, [source.id])).status).toBe(200);
    const restored = await admin.post('/Contact/action/restoreDeleted', { id: source.id });
    expect([restored.status, restored.text]).toEqual([200, 'true']);
    expect(recordIn(await admin.get(`/Contact/${source.id}`))).toMatchObject({
      deleted: false,
      doNotCall: true,
    });
    // The recovery of merges no longer finds an entry about the source.
    const { list } = listIn(await admin.get(`/Contact/${target.id}/history?order=asc`));
    expect(list.map(({ type }) => type)).toEqual(['created', 'updated', 'updated']);
    expect(list[2]).toMatchObject({ changes: [] });
    expect((await merge(target.id, [source.id])).status).toBe(200);
    expect(await isGone('Contact', source.id)).toBe(true);
  });

  it('stay unchanged if the request is invalid', async () => {
    const [target, source] = [await makeContact(), await makeContact({ emailAddress: 's@x.co' })];
    const addresses = Array.from({ length: 10 }, (_, index) => ({ emailAddress: `${index}@y.co` }));
    const crowded = await makeContact({ emailAddressData: addresses });
    const { id: roleId } = await make('Role', {
      name: unique('keeper'),
      data: { Contact: { ...all, delete: 'own' } },
    });
    const user = await make('User', {
      userName: `k${Date.now()}`,
      type: 'api',
      rolesIds: [roleId],
    });
    const api = admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
    const sources = [source.id];
    const bad = [
      [await merge(target.id, sources, { api }), 403],
      [await merge(target.id, [...sources, 'nothing']), 404],
      [await merge('nothing', sources), 404],
      [await merge('\u0000', sources), 404],
      [await merge(target.id, []), 400],
      [await merge(target.id, [target.id]), 400],
      [await merge(target.id, [...sources, crowded.id]), 400],
      [await merge(target.id, sources, { attributes: { lastName: null } }), 400],
      [await merge(target.id, sources, { attributes: { salutationName: 'Sir' } }), 400],
      [await merge(target.id, sources, { headers: { 'If-Match': '"v9"' } }), 412],
      [await merge(target.id, sources, { entityType: 'Nothing' }), 404],
      [await merge('admin', ['user'], { entityType: 'User' }), 403],
      [await admin.post('/Action', { entityType: 'Contact', id: target.id, action: 'merge' }), 400],
      [await admin.post('/Action', { entityType: 'Contact', action: 'merge', data: {} }), 400],
      [await admin.post('/Action', { entityType: 'Contact', id: target.id, action: 'fly' }), 404],
      [await admin.post('/Action', { entityType: 'Contact', id: target.id, action: 'lock' }), 403],
      [await admin.post('/Contact/action/merge', { targetId: target.id }), 400],
    ] as const;
    const stranger = admin.as(withApiKey({ apiKey: '0'.repeat(32) }));
    for (const path of ['/Action', '/Contact/action/merge', '/MassAction']) {
      expect((await stranger.post(path, {})).status).toBe(401);
    }
    for (const [answer, status] of bad) expect(answer.status, answer.text).toBe(status);
    for (const { id } of [target, source, crowded]) {
      expect(listIn(await admin.get(`/Contact/${id}/history`)).total).toBe(1);
    }
  });

  it('keep one contact and all addresses if they are merged into each other', async () => {
    for (let round = 0; round < 10; round++) {
      const one = await makeContact({ emailAddress: 'one@m.co' });
      const two = await makeContact({ emailAddress: 'two@m.co' });
      await Promise.all([merge(one.id, [two.id]), merge(two.id, [one.id])]);
      const left = (
        await Promise.all(
          [one, two].map(async ({ id }) => recordIn(await admin.get(`/Contact/${id}`))),
        )
      ).filter(({ deleted }) => deleted === false);
      expect(left.length).toBeGreaterThan(0);
      const addresses = left.flatMap(({ emailAddressData }) =>
        (emailAddressData as { readonly lower: string }[]).map(({ lower }) => lower),
      );
      expect(new Set(addresses)).toEqual(new Set(['one@m.co', 'two@m.co']));
    }
  });

  it('are merged entirely or not at all when the process dies', { timeout: 360_000 }, async () => {
    const pairs = await Promise.all(
      Array.from({ length: 25 }, async (_, n) => {
        const [target, source] = [
          await makeContact({ emailAddress: `t${n}@crash.co` }),
          await makeContact({ emailAddress: `s${n}@crash.co` }),
        ];
        const cases = await Promise.all(
          [1, 2].map(async () => make('Case', { name: 'c', contactId: source.id })),
        );
        return { target: target.id, source: source.id, cases: cases.map(({ id }) => id) };
      }),
    );
    const merging = pairs.map(async ({ target, source }) => {
      await merge(target, [source]).catch(() => undefined);
    });
    await sleep(60);
    for (const api of ['api', 'api2']) product.kill(api);
    await Promise.all(merging);
    for (const api of ['api', 'api2']) await product.waitUntilReady(api);
    await eventually(
      async () => {
        for (const pair of pairs) await expectWhole(pair);
      },
      { timeoutMs: 90_000, intervalMs: 1_000 },
    );
  });
});

async function expectWhole({
  target,
  source,
  cases,
}: {
  readonly target: string;
  readonly source: string;
  readonly cases: readonly string[];
}): Promise<void> {
  const isMerged = listIn(await admin.get(`/Contact/${target}/history`)).total === 2;
  expect(await isGone('Contact', source)).toBe(isMerged);
  for (const id of cases) {
    const { contactId, contactsIds } = recordIn(await admin.get(`/Case/${id}`));
    expect({ contactId, contactsIds }).toEqual({
      contactId: isMerged ? target : source,
      contactsIds: [isMerged ? target : source],
    });
    expect(listIn(await admin.get(`/Case/${id}/history`)).total).toBe(isMerged ? 2 : 1);
  }
}

describe('records of a custom entity type', () => {
  it('are merged together with everything that refers to them', async () => {
    const created = await admin.post('/EntityManager/action/createEntity', {
      name: 'Patient',
      type: 'Person',
    });
    expect(created.status, created.text).toBe(200);
    const link = {
      entity: 'Patient',
      entityForeign: 'Account',
      link: 'clinic',
      linkForeign: 'patients',
      linkType: 'manyToOne',
    };
    const toAccount = await admin.post('/EntityManager/action/createLink', link);
    expect(toAccount.status, toAccount.text).toBe(200);
    const referral = {
      entity: 'Case',
      entityForeign: 'Patient',
      link: 'patients',
      linkForeign: 'cases',
      linkType: 'manyToMany',
    };
    expect((await admin.post('/EntityManager/action/createLink', referral)).status).toBe(200);
    const [target, source] = [
      await make('Patient', { lastName: 'One' }),
      await make('Patient', { lastName: 'Two', phoneNumber: '+442012345678' }),
    ];
    const ticket = await make('Case', { name: 'c', patientsIds: [source.id] });
    const [clinic, other] = [
      await make('Account', { name: 'C' }),
      await make('Patient', { lastName: 'X' }),
    ];
    await admin.put(`/Patient/${other.id}`, { clinicId: clinic.id });
    const options = { entityType: 'Patient', attributes: { clinicId: clinic.id } };
    expect(recordIn(await merge(target.id, [source.id], options))).toMatchObject({
      phoneNumber: '+442012345678',
      clinicId: clinic.id,
    });
    expect(recordIn(await admin.get(`/Case/${ticket.id}`))).toMatchObject({
      patientsIds: [target.id],
      patientsNames: { [target.id]: 'One' },
    });
    const answer = await merge(clinic.id, [(await make('Account', { name: 'D' })).id], {
      entityType: 'Account',
    });
    expect(answer.status).toBe(200);
    expect(recordIn(await admin.get(`/Patient/${other.id}`))).toMatchObject({
      clinicId: clinic.id,
    });
  });
});
