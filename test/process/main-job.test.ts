import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { aCase, aContact, aLead, anAccount, unique } from '../support/builders/record-builders.ts';
import {
  type Credentials,
  withApiKey,
  withHmacGlued,
  withHmacHex,
  withHmacRaw,
  withPassword,
} from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct();
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

type Access = ReturnType<StartedProduct['access']>;
interface Caller {
  readonly caller: string;
  readonly userId: string;
  readonly credentials: (access: Access) => Credentials;
}

const callers: readonly Caller[] = [
  { caller: 'API key', userId: 'api-key', credentials: ({ apiKey }) => withApiKey(apiKey) },
  { caller: 'HMAC as text', userId: 'api-hmac', credentials: ({ hmac }) => withHmacHex(hmac) },
  { caller: 'HMAC as bytes', userId: 'api-hmac', credentials: ({ hmac }) => withHmacRaw(hmac) },
  { caller: 'glued HMAC', userId: 'api-hmac', credentials: ({ hmac }) => withHmacGlued(hmac) },
  { caller: 'password', userId: 'user', credentials: ({ user }) => withPassword(user) },
  {
    caller: 'password of an administrator',
    userId: 'admin',
    credentials: ({ admin }) => withPassword(admin),
  },
];

const entities = [
  { entityType: 'Account', build: anAccount, change: { type: 'Partner', sicCode: null } },
  { entityType: 'Contact', build: aContact, change: { firstName: 'Augusta', doNotCall: false } },
  { entityType: 'Lead', build: aLead, change: { status: 'In Process', opportunityAmount: 0.25 } },
  { entityType: 'Case', build: aCase, change: { status: 'Closed', isInternal: true } },
] as const;

/** Attributes of an account that clients expect. */
const accountAttributes = [
  ...['id', 'name', 'deleted', 'website', 'emailAddress', 'phoneNumber', 'type', 'industry'],
  ...['contactIsInactive', 'billingAddressStreet', 'billingAddressCity', 'billingAddressState'],
  ...['billingAddressCountry', 'billingAddressPostalCode', 'shippingAddressStreet'],
  ...['shippingAddressCity', 'shippingAddressState', 'shippingAddressCountry'],
  ...['shippingAddressPostalCode', 'description', 'createdAt', 'modifiedAt', 'isFollowed'],
  ...['targetListIsOptedOut', 'scoreCust', 'emailAddressIsOptedOut', 'emailAddressIsInvalid'],
  ...['phoneNumberIsOptedOut', 'phoneNumberIsInvalid', 'billingAddressLatitude'],
  ...['billingAddressLongitude', 'shippingAddressLatitude', 'shippingAddressLongitude'],
  ...['emailAddressData', 'phoneNumberData', 'createdById', 'assignedUserId', 'assignedUserName'],
  ...['teamsIds', 'teamsNames'],
];

const everyWay = entities.flatMap((entity) => callers.map((caller) => ({ ...entity, ...caller })));

describe('a record', () => {
  it.each(everyWay)(
    'can be created, read, changed, listed and deleted as $entityType with $caller',
    async ({ entityType, build, change, userId, credentials }) => {
      const own = api.as(credentials(product.access()));
      const path = (id: string) => `/${entityType}/${id}`;
      const { emailAddressData: _, phoneNumberData: __, ...given } = build();

      const created = recordIn(await own.post(`/${entityType}`, given));
      expect(created).toMatchObject({ ...given, deleted: false, createdById: userId });
      expect(created.id).toMatch(/^[0-9a-f]{17}$/);
      expect(created['createdAt']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(created['modifiedById']).toBeNull();
      expect(recordIn(await own.get(path(created.id)))).toEqual(created);

      const changed = recordIn(await own.put(path(created.id), change));
      expect(changed).toMatchObject({ ...change, modifiedById: userId });
      expect(recordIn(await own.get(path(created.id)))).toEqual(changed);

      const description = unique('Seen by');
      const patched = recordIn(await own.patch(path(created.id), { description }));
      const { modifiedAt, versionNumber } = patched;
      const followed = versionNumber === undefined ? {} : { versionNumber: 3 };
      expect(patched).toEqual({ ...changed, description, modifiedAt, ...followed });
      expect(recordIn(await own.get(path(created.id)))).toEqual(patched);

      const { list } = listIn(await own.get(`/${entityType}?maxSize=200`));
      const listed = list.find(({ id }) => id === created.id);
      expect(listed).toMatchObject({ id: created.id, description });
      expect(patched).toMatchObject(listed ?? {});

      const deleted = await own.delete(path(created.id));
      expect([deleted.status, deleted.text]).toEqual([200, 'true']);
      const after = await own.get(path(created.id));
      expect(after.status).toBe(userId === 'admin' ? 200 : 404);
      const { list: left } = listIn(await own.get(`/${entityType}?maxSize=200`));
      expect(left.map(({ id }) => id)).not.toContain(created.id);
    },
  );

  it('has every attribute that clients expect of an Account', async () => {
    const account = recordIn(await api.post('/Account', anAccount()));

    expect(Object.keys(account)).toEqual(expect.arrayContaining([...accountAttributes]));
  });

  it('is visible only to administrators and cannot be changed once deleted', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    await api.delete(`/Account/${id}`);
    const admin = api.as(withPassword(product.access().admin));

    expect(recordIn(await admin.get(`/Account/${id}`))).toMatchObject({ id, deleted: true });
    for (const caller of [api, admin]) {
      expect((await caller.put(`/Account/${id}`, { name: 'Back' })).status).toBe(404);
      expect((await caller.delete(`/Account/${id}`)).status).toBe(404);
    }
  });

  it('can be sent back after a read without changing attributes that Annals sets', async () => {
    const created = recordIn(await api.post('/Contact', aContact()));

    const sentBack = recordIn(await api.put(`/Contact/${created.id}`, created));
    const forged = recordIn(
      await api.put(`/Contact/${created.id}`, {
        id: 'other',
        deleted: true,
        createdAt: '2001-01-01 00:00:00',
        createdById: 'admin',
        modifiedById: 'admin',
        noSuchAttribute: 1,
      }),
    );

    expect(sentBack).toEqual(created);
    expect(forged).toEqual(created);
    expect(recordIn(await api.get(`/Contact/${created.id}`))).toEqual(created);
  });

  it('gets a generated id even if the request contains one', async () => {
    const { id } = recordIn(await api.post('/Lead', aLead({ id: '00000000000000000' })));

    expect(id).not.toBe('00000000000000000');
  });

  it('contains the current names of linked records', async () => {
    const account = recordIn(await api.post('/Account', anAccount({ type: 'Investor' })));
    const contact = recordIn(await api.post('/Contact', aContact({ accountId: account.id })));
    expect(contact).toMatchObject({ accountName: account['name'], accountType: 'Investor' });

    const renamed = unique('Renamed');
    await api.put(`/Account/${account.id}`, { name: renamed, type: 'Reseller' });

    expect(recordIn(await api.get(`/Contact/${contact.id}`))).toMatchObject({
      accountId: account.id,
      accountName: renamed,
      accountType: 'Reseller',
    });
  });

  it('has an ETag with a version that every change increments', async () => {
    const { id } = recordIn(await api.post('/Lead', aLead()));
    const etag = async () => (await api.get(`/Lead/${id}`)).headers.etag;
    expect(await etag()).toBe('"v1"');

    await api.put(`/Lead/${id}`, { title: 'Admiral' });
    await api.put(`/Lead/${id}`, { title: 'Admiral' });

    expect(await etag()).toBe('"v2"');
  });

  it('is acknowledged when it is readable, or immediately with Prefer: respond-async', async () => {
    const { projector } = product.access().processes;
    process.kill(projector, 'SIGSTOP');
    const early = recordIn(await api.post('/Case', aCase(), { Prefer: 'respond-async' }));
    const unread = await api.get(`/Case/${early.id}`);
    const patient = api.post('/Case', aCase());
    const first = await Promise.race([patient, sleep(500, 'nothing')]);
    process.kill(projector, 'SIGCONT');
    const created = recordIn(await patient);

    expect(unread.status).toBe(404);
    expect(first).toBe('nothing');
    expect(recordIn(await api.get(`/Case/${created.id}`))).toEqual(created);
    await eventually(async () =>
      expect(recordIn(await api.get(`/Case/${early.id}`))).toEqual(early),
    );
  });

  it('is readable after each of many concurrent writes by one client', async () => {
    const writers = Array.from({ length: 40 }, async (_, index) => {
      const { id } = recordIn(await api.post('/Account', anAccount({ sicCode: `${index}` })));
      await api.patch(`/Account/${id}`, { sicCode: `again ${index}` });
      return recordIn(await api.get(`/Account/${id}`))['sicCode'];
    });

    expect(await Promise.all(writers)).toEqual(writers.map((_, index) => `again ${index}`));
  });
});

describe('a list', () => {
  const batch = unique('Batch').replaceAll(' ', '-');
  const cases = Array.from({ length: 7 }, (_, index) => `${batch} ${index}`);

  beforeAll(async () => {
    for (const name of cases) recordIn(await api.post('/Case', aCase({ name })));
  });

  const ofBatch = async (query: string) => {
    const { list } = listIn(await api.get(`/Case?maxSize=200&${query}`));
    return list.map(({ name }) => String(name)).filter((name) => name.startsWith(batch));
  };

  it('has the requested order', async () => {
    expect(await ofBatch('orderBy=name&order=asc')).toEqual(cases);
    expect(await ofBatch('orderBy=name&order=desc')).toEqual(cases.toReversed());
    expect(await ofBatch('orderBy=number&order=asc')).toEqual(cases);
  });

  it('is complete and free of duplicates when it is read page by page', async () => {
    const { total } = listIn(await api.get('/Case?maxSize=1'));
    const pages = Array.from({ length: Math.ceil(total / 3) }, async (_, page) =>
      listIn(await api.get(`/Case?orderBy=createdAt&order=asc&offset=${page * 3}&maxSize=3`)),
    );
    const ids = (await Promise.all(pages)).flatMap(({ list }) => list.map(({ id }) => id));

    expect(total).toBeGreaterThanOrEqual(cases.length);
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
  });

  it.each([
    'select=name,status',
    'select[]=name&select[]=status',
    'select%5B%5D=name&select%5B%5D=status',
  ])(
    'contains the attributes selected by %s plus id, owners and order attributes',
    async (select) => {
      const { list } = listIn(await api.get(`/Case?maxSize=2&${select}`));

      const always = ['assignedUserId', 'createdById', 'id', 'number'];
      for (const item of list) {
        expect(Object.keys(item).toSorted()).toEqual([...always, 'name', 'status'].toSorted());
      }
    },
  );

  it('omits the total on request and indicates whether more records follow', async () => {
    const { total } = listIn(await api.get('/Case?maxSize=1'));
    const unCounted = async (query: string) =>
      listIn(await api.get(`/Case?${query}`, { 'X-No-Total': 'true' })).total;

    expect(await unCounted('maxSize=1')).toBe(-1);
    expect(await unCounted(`maxSize=1&offset=${total - 1}`)).toBe(-2);
    expect(await unCounted(`offset=${total}`)).toBe(-2);
  });
});
