import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
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
      API_CUSTOM_PREFIX: 'taken',
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
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

const fields = '/Admin/fieldManager/Account';
const make = async (path: string, body: object) => {
  const answer = await admin.post(path, body, { 'X-Skip-Duplicate-Check': 'true' });
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

describe('a definition with invalid text', () => {
  it.each(['a\u0000b', 'half \ud83d'])(
    'is rejected with 400 without affecting later writes: %j',
    async (text) => {
      const refused = [
        await admin.post(fields, { name: 'broken', type: 'varchar', label: text }),
        await admin.post(fields, { name: 'broken', type: 'enum', options: [text] }),
        await admin.post('/EntityManager/action/createEntity', {
          name: 'Broken',
          type: 'Base',
          labelPlural: text,
        }),
      ];
      expect(refused.map(({ status, body }) => [status, Object(body).code])).toEqual(
        refused.map(() => [400, 'field.invalid']),
      );
      await make('/Team', { name: 'Still written' });
    },
  );
});

describe('a custom field', () => {
  it('can be written, read, searched, sorted and watched with the next request', async () => {
    const created = await make(fields, {
      name: 'rating',
      type: 'int',
      label: 'Rating',
      min: 0,
      max: 5,
    });
    expect(created.body).toMatchObject({
      name: 'rating',
      type: 'int',
      label: 'Rating',
      isCustom: true,
    });
    const event = 'Account.fieldUpdate.rating';
    await registerWebhook(api, { event, url: subscriber.url('/rating') });
    const account = recordIn(await make('/Account', { name: 'Rated', rating: '4' }));
    expect(account).toMatchObject({ rating: 4 });
    await make('/Account', { name: 'Unrated' });
    const where = [{ type: 'greaterThan', attribute: 'rating', value: 3 }];
    const search = encodeURIComponent(JSON.stringify({ where, orderBy: 'rating' }));
    expect((await api.get(`/Account?searchParams=${search}`)).body).toMatchObject({
      total: 1,
      list: [{ name: 'Rated', rating: 4 }],
    });
    const tooMuch = await api.put(`/Account/${account['id']}`, { rating: 6 });
    expect(tooMuch.body).toMatchObject({ errors: [{ field: 'rating', type: 'max' }] });
    await api.put(`/Account/${account['id']}`, { rating: 5 });
    await eventually(() => {
      expect(subscriber.events('/rating')).toEqual([
        expect.objectContaining({ id: account['id'], rating: 5 }),
      ]);
    });
    expect((await api.get('/Metadata?key=entityDefs.Account.fields.rating')).body).toMatchObject({
      max: 5,
    });
  });

  it('keeps its values when it is removed and created again', async () => {
    await make(fields, { name: 'nickname', type: 'varchar' });
    const { id } = recordIn(await make('/Account', { name: 'Nick', nickname: 'n' }));
    const changed = await admin.put(`${fields}/nickname`, { maxLength: 3 });
    expect(changed.body).toMatchObject({ maxLength: 3 });
    expect((await api.put(`/Account/${id}`, { nickname: 'long' })).status).toBe(400);
    expect((await admin.delete(`${fields}/nickname`)).text).toBe('true');
    expect((await api.get(`/Account/${id}`)).body).not.toHaveProperty('nickname');
    expect((await admin.get(`${fields}/nickname`)).status).toBe(404);
    const other = await admin.post(fields, { name: 'nickname', type: 'int' });
    expect([other.status, other.text.includes('varchar')]).toEqual([400, true]);
    await make(fields, { name: 'nickname', type: 'varchar' });
    expect((await api.get(`/Account/${id}`)).body).toMatchObject({ nickname: 'n' });
  });

  it('continues from its nextNumber if its type is number', async () => {
    const ledger = { name: 'ledger', type: 'number', prefix: 'L-', nextNumber: 500 };
    const field = { ...ledger, tooltip: true, audited: true };
    expect((await make(fields, field)).body).toMatchObject(field);
    const numberOf = async (name: string) => recordIn(await make('/Account', { name }))['ledger'];
    expect([await numberOf('Five'), await numberOf('Six')]).toEqual(['L-00500', 'L-00501']);
    await admin.put(`${fields}/ledger`, { nextNumber: 1_000 });
    expect(await numberOf('Seven')).toBe('L-01000');
    expect((await api.get('/Metadata?key=entityDefs.Account.fields.ledger')).body).toMatchObject({
      nextNumber: 1_000,
      tooltip: true,
      audited: true,
    });
    await admin.delete(`${fields}/ledger`);
  });

  it('deactivates its webhooks with a reason when it is removed', async () => {
    await make(fields, { name: 'mood', type: 'varchar' });
    const webhook = { event: 'Account.fieldUpdate.mood', url: subscriber.url('/mood') };
    const { id } = await registerWebhook(api, webhook);
    const other = await registerWebhook(api, { ...webhook, event: 'Account.fieldUpdate.name' });
    await admin.delete(`${fields}/mood`);
    await eventually(async () =>
      expect((await api.get(`/Webhook/${id}`)).body).toMatchObject({
        isActive: false,
        inactiveReason: "Field 'mood' of Account does not exist.",
      }),
    );
    expect((await api.get(`/Webhook/${other.id}`)).body).toMatchObject({ isActive: true });
    const tooEarly = await api.put(`/Webhook/${id}`, { isActive: true });
    expect([tooEarly.status, tooEarly.text.includes('mood')]).toEqual([400, true]);
    await make(fields, { name: 'mood', type: 'varchar' });
    const again = await api.put(`/Webhook/${id}`, { isActive: true });
    expect(again.body).toMatchObject({ isActive: true, inactiveReason: null });
  });

  it('gets a prefix if its entity type has a reserved name', async () => {
    for (const name of ['Opportunity', 'Metadata']) {
      const made = await admin.post('/EntityManager/action/createEntity', { name, type: 'Base' });
      expect([made.status, made.body]).toEqual([200, { name: `C${name}`, access: {} }]);
    }
    expect((await admin.post('/COpportunity', { name: 'Own' })).status).toBe(200);
    expect((await admin.get('/Settings')).body).toMatchObject({ customPrefixDisabled: true });
  });

  it('is rejected with the code and the field of the problem', async () => {
    const bad: readonly (readonly [object, number, string])[] = [
      [{ name: 'Bad name', type: 'int' }, 400, 'name'],
      [{ name: 'good', type: 'rocket' }, 400, 'rocket'],
      [{ name: 'good', type: 'enum', options: ['a', 'a'] }, 400, 'options'],
      [{ name: 'good', type: 'enum', options: ['a'], default: 'b' }, 400, 'default'],
      [{ name: 'good', type: 'varchar', pattern: '(' }, 400, 'pattern'],
      [{ name: 'good', type: 'int', maxLength: -1 }, 400, 'maxLength'],
      [{ name: 'good', type: 'int', label: 'x'.repeat(251) }, 400, '250'],
      [{ name: 'name', type: 'varchar' }, 409, 'name'],
      [{ name: 'accountId', type: 'varchar' }, 200, 'accountId'],
      [{ name: 'campaignId', type: 'varchar' }, 409, 'campaignId'],
      [{ name: 'createdAt', type: 'datetime' }, 409, 'createdAt'],
    ];
    for (const [body, status, culprit] of bad) {
      const answer = await admin.post(fields, body);
      expect([answer.status, answer.text.includes(culprit)], answer.text).toEqual([status, true]);
    }
    expect((await api.post(fields, { name: 'mine', type: 'int' })).status).toBe(403);
    expect(
      (await admin.post('/Admin/fieldManager/Nobody', { name: 'x', type: 'int' })).status,
    ).toBe(404);
    expect((await admin.put(`${fields}/name`, { maxLength: 5 })).status).toBe(400);
    expect((await admin.put(`${fields}/nothing`, { maxLength: 5 })).status).toBe(404);
  });
});

describe('a field that Annals ships', () => {
  it('accepts other options and can be reset to its default options', async () => {
    const source = '/Admin/fieldManager/Lead/source';
    const lead = (name: string) => api.post('/Lead', { lastName: name, source: 'Fair' });
    expect((await lead('Early')).status).toBe(400);
    const changed = await admin.put(source, { options: ['', 'Call', 'Fair'], default: 'Fair' });
    expect(changed.body).toMatchObject({ type: 'enum', default: 'Fair' });
    expect(recordIn(await api.post('/Lead', { lastName: 'Met' }))).toMatchObject({
      source: 'Fair',
    });
    const reset = { scope: 'Lead', name: 'source' };
    await make('/FieldManager/action/resetToDefault', reset);
    expect((await lead('Late')).status).toBe(400);
  });
});

describe('a custom field of users', () => {
  it('can be read, searched and written only by administrators', async () => {
    await make('/Admin/fieldManager/User', { name: 'costCentre', type: 'varchar' });
    const path = '/User/user';
    const changed = await admin.put(path, { costCentre: 'C7' });
    expect(changed.body).toMatchObject({ costCentre: 'C7' });
    const where = [{ type: 'equals', attribute: 'costCentre', value: 'C7' }];
    const search = `/User?where=${encodeURIComponent(JSON.stringify(where))}`;
    expect((await admin.get(search)).body).toMatchObject({ total: 1, list: [{ id: 'user' }] });
    const user = admin.as(withPassword(annals.user));
    expect((await user.get(path)).body).not.toHaveProperty('costCentre');
    expect((await user.get(search)).status).toBe(400);
    const own = await user.put(path, { title: 'Clerk', costCentre: 'C8' });
    expect(own.text).not.toContain('C7');
    expect((await admin.get(path)).body).toMatchObject({ costCentre: 'C7' });
    expect(
      (await admin.post('/Webhook', { event: 'User.update', url: subscriber.url('/u') })).text,
    ).toContain('User');
  });
});

describe('a custom entity type', () => {
  it('immediately has records, roles, webhooks and links', async () => {
    const created = await make('/EntityManager/action/createEntity', {
      name: 'Project',
      type: 'Base',
      labelSingular: 'Project',
      labelPlural: 'Projects',
    });
    expect(created.body).toEqual({ name: 'Project', access: {} });
    await make('/EntityManager/action/createLink', {
      entity: 'Project',
      entityForeign: 'Account',
      link: 'account',
      linkForeign: 'projects',
      linkType: 'manyToOne',
    });
    const account = recordIn(await make('/Account', { name: 'Builder' }));
    const project = recordIn(await make('/Project', { name: 'Bridge', accountId: account['id'] }));
    expect(project).toMatchObject({ name: 'Bridge', accountName: 'Builder' });
    expect((await admin.get(`/Account/${account['id']}/projects`)).body).toMatchObject({
      total: 1,
      list: [{ name: 'Bridge' }],
    });
    expect((await api.get('/Project')).status).toBe(403);
    const data = { Project: { read: 'all' }, Account: { read: 'all' } };
    const { id } = recordIn(await make('/Role', { name: 'Projects', data }));
    await admin.put('/User/api-key', { rolesIds: ['role-full-access', id] });
    expect((await api.get('/projects')).body).toMatchObject({ total: 1 });
    await registerWebhook(admin, { event: 'Project.update', url: subscriber.url('/project') });
    await admin.put(`/Project/${project['id']}`, { description: 'long' });
    await eventually(() => {
      expect(subscriber.events('/project')).toMatchObject([
        { id: project['id'], description: 'long' },
      ]);
    });
  });

  it('grants the requested levels per role and returns all roles with access', async () => {
    const createEntity = '/EntityManager/action/createEntity';
    const role = 'role-full-access';
    const levels = { create: 'yes', read: 'all', edit: 'own' };
    const vessel = { name: 'Vessel', type: 'Base' };
    const unknown = await admin.post(createEntity, { ...vessel, access: { nobody: levels } });
    expect([unknown.status, Object(unknown.body).code]).toEqual([400, 'field.invalid']);
    const wrong = { [role]: { read: 'own', edit: 'all' } };
    const beyond = await admin.post(createEntity, { ...vessel, access: wrong });
    expect([beyond.status, Object(beyond.body).code]).toEqual([400, 'role.invalid']);
    const before = recordIn(await admin.get(`/Role/${role}`));
    const key = { 'Idempotency-Key': 'make-vessel' };
    const access = { [role]: levels };
    const make = () => admin.post(createEntity, { ...vessel, access }, key);
    const made = await make();
    expect([made.status, made.body]).toEqual([200, { name: 'Vessel', access }]);
    expect((await api.post('/Vessel', { name: 'Ark' })).status).toBe(200);
    expect(recordIn(await admin.get(`/Role/${role}`))).toMatchObject({
      data: { ...Object(before['data']), Vessel: levels },
      modifiedById: 'admin',
    });
    const again = await make();
    expect([again.status, again.body]).toEqual([200, made.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const otherwise = { ...vessel, access: { [role]: { read: 'all' } } };
    expect((await admin.post(createEntity, otherwise, key)).status).toBe(422);
    // Roles keep their levels for a removed type; the response lists them when it is created again.
    await admin.post('/EntityManager/action/removeEntity', { name: 'Vessel' });
    expect((await admin.post(createEntity, vessel)).body).toEqual({ name: 'Vessel', access });
  });

  it('rejects a repeated request from a former administrator with 403', async () => {
    const userName = `boss-${process.pid}`;
    const password = randomBytes(8).toString('hex');
    const boss = { userName, lastName: userName, type: 'admin', password };
    const { id } = recordIn(await admin.post('/User', boss));
    const former = api.as(withPassword({ userName, password }));
    const key = { 'Idempotency-Key': userName };
    const create = () =>
      former.post('/EntityManager/action/createEntity', { name: 'Raft', type: 'Base' }, key);
    expect((await create()).status).toBe(200);
    expect((await admin.put(`/User/${id}`, { type: 'regular' })).status).toBe(200);

    const again = await create();
    expect([again.status, Object(again.body).code]).toEqual([403, 'access.admin_only']);
  });

  it('is linked to shipped types and users entirely or not at all', async () => {
    const sort = { sortBy: 'name', sortDirection: 'asc', optimisticConcurrencyControl: true };
    await make('/EntityManager/action/createEntity', { name: 'Site', type: 'BasePlus', ...sort });
    const link = { entity: 'Site', entityForeign: 'Account', link: 'owner', linkType: 'manyToOne' };
    const taken = { ...link, linkForeign: 'contacts' };
    expect((await admin.post('/EntityManager/action/createLink', taken)).status).toBe(409);
    const create = () =>
      make('/EntityManager/action/createLink', { ...link, linkForeign: 'sites' });
    await create();
    const members = {
      entity: 'User',
      link: 'sites',
      linkType: 'manyToMany',
      linkForeign: 'members',
    };
    expect(
      (await admin.post('/EntityManager/action/createLink', { ...members, entityForeign: 'Site' }))
        .status,
    ).toBe(400);
    const people = { entity: 'Site', entityForeign: 'User', link: 'members', linkForeign: 'sites' };
    await make('/EntityManager/action/createLink', { ...people, linkType: 'manyToMany' });
    const shown = { name: 'ownerType', type: 'foreign', link: 'owner', field: 'type' };
    expect((await make('/Admin/fieldManager/Site', shown)).body).toMatchObject(shown);
    expect((await admin.get('/Admin/fieldManager/Site/ownerType')).body).toMatchObject(shown);
    const account = recordIn(await make('/Account', { name: 'Lord', type: 'Partner' }));
    const linked = { ownerId: account['id'], membersIds: ['user'] };
    const first = recordIn(await make('/Site', { name: 'B', ...linked }));
    expect(first).toMatchObject({ ownerType: 'Partner', versionNumber: 1 });
    await make('/Site', { name: 'A' });
    const where = [{ type: 'equals', attribute: 'ownerType', value: 'Partner' }];
    const search = `/Site?where=${encodeURIComponent(JSON.stringify(where))}`;
    expect((await admin.get(search)).body).toMatchObject({ list: [{ id: first['id'] }] });
    expect((await admin.get('/Site')).body).toMatchObject({ list: [{ name: 'A' }, { name: 'B' }] });
    const one = { total: 1, list: [{ name: 'B' }] };
    expect((await admin.get('/User/user/sites')).body).toMatchObject(one);
    const about = { parentType: 'Site', parentId: first['id'] };
    await make('/Task', { name: 'Dig', assignedUserId: 'user', ...about });
    expect((await admin.get(`/Site/${first['id']}/tasks`)).body).toMatchObject({
      list: [{ name: 'Dig', parentName: 'B' }],
    });
    await admin.delete('/Admin/fieldManager/Site/ownerType');
    const removal = { entity: 'Account', link: 'sites' };
    const key = { 'Idempotency-Key': 'remove-sites' };
    const remove = () => admin.post('/EntityManager/action/removeLink', removal, key);
    expect([(await remove()).text, (await remove()).text]).toEqual(['true', 'true']);
    expect((await admin.get(`/Site/${first['id']}`)).body).not.toHaveProperty('ownerId');
    expect((await admin.get(`/Account/${account['id']}/sites`)).status).toBe(404);
    await create();
    expect((await admin.get(`/Account/${account['id']}/sites`)).body).toMatchObject(one);
  });

  it('keeps its records when it is removed and created again', async () => {
    const createEntity = '/EntityManager/action/createEntity';
    await make(createEntity, { name: 'Parcel', type: 'Base' });
    const { id } = recordIn(await make('/Parcel', { name: 'One' }));
    expect((await admin.post(createEntity, { name: 'Parcel', type: 'Base' })).status).toBe(409);
    await make('/EntityManager/action/removeEntity', { name: 'Parcel' });
    expect((await admin.get(`/Parcel/${id}`)).status).toBe(404);
    await make(createEntity, { name: 'Parcel', type: 'Base' });
    expect((await admin.get(`/Parcel/${id}`)).body).toMatchObject({ name: 'One' });
  });

  it('can have fields with names longer than Postgres identifiers', async () => {
    await make('/EntityManager/action/createEntity', { name: 'Tome', type: 'Base' });
    const names = ['X', 'Y'].map((last) => `a${'BC'.repeat(24)}${last}`);
    for (const name of names) await make('/Admin/fieldManager/Tome', { name, type: 'varchar' });
    const textFilterFields = ['name', ...names];
    await make('/EntityManager/action/updateEntity', { name: 'Tome', textFilterFields });
    await make('/Admin/fieldManager/Tome', { name: 'pages', type: 'int' });
    const values = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
    const { id } = recordIn(await make('/Tome', { name: 'One', ...values }));
    expect((await admin.get(`/Tome/${id}`)).body).toMatchObject(values);
    for (const text of Object.values(values)) {
      const found = await admin.get(`/Tome?textFilter=${encodeURIComponent(text)}`);
      expect(found.body).toMatchObject({ total: 1, list: [{ id }] });
    }
  });

  it('searches and sorts texts of any length by their beginning, ignoring case', async () => {
    await make('/EntityManager/action/createEntity', { name: 'Motto', type: 'Base' });
    const ofMottos = '/Admin/fieldManager/Motto';
    await make(ofMottos, { name: 'words', type: 'varchar', maxLength: 100_000 });
    await make(ofMottos, { name: 'story', type: 'wysiwyg' });
    // Random text, because Postgres would compress anything else.
    const noise = randomBytes(15_000).toString('base64');
    await make('/Motto', { name: 'a', words: 'Ready, steady' });
    await make('/EntityManager/action/updateEntity', {
      name: 'Motto',
      textFilterFields: ['name', 'words', 'story'],
      sortBy: 'words',
      sortDirection: 'asc',
    });
    await make('/Motto', { name: 'B', words: `READY: ${noise}`, story: `<p>${noise}</p>` });
    await make('/Motto', { name: 'c', words: 'ready' });
    await make('/Motto', { name: 'Ready', words: 'ready too' });
    const listed = async (query: string) => {
      const { list, total } = Object((await admin.get(`/Motto?${query}`)).body);
      return [total, list.map(({ name }: { name: string }) => name).join(' ')];
    };
    expect(await listed('orderBy=name')).toEqual([4, 'a B c Ready']);
    expect(await listed('textFilter=ready')).toEqual([4, 'c Ready a B']);
    expect(await listed('textFilter=READY,+s*y')).toEqual([1, 'a']);
    const end = encodeURIComponent(noise.slice(-9));
    expect(await listed(`textFilter=*${end}*`)).toEqual([1, 'B']);
  });

  it('is rejected with the code and the field of the problem', async () => {
    const bad: readonly (readonly [object, number])[] = [
      [{ name: 'lower', type: 'Base' }, 400],
      [{ name: 'Good', type: 'Rocket' }, 400],
      [{ name: 'CMetadata', type: 'Base' }, 409],
      [{ type: 'Base' }, 400],
      [{ name: 'Good', type: 'Base', labelSingular: 'x'.repeat(101) }, 400],
    ];
    for (const [body, status] of bad) {
      expect((await admin.post('/EntityManager/action/createEntity', body)).status).toBe(status);
    }
    expect(
      (await admin.post('/EntityManager/action/removeEntity', { name: 'Account' })).status,
    ).toBe(404);
    expect(
      (await api.post('/EntityManager/action/createEntity', { name: 'Mine', type: 'Base' })).status,
    ).toBe(403);
    expect((await admin.post('/Admin/rebuild')).text).toBe('true');
  });
});
