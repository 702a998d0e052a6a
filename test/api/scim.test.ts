import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { anonymous, withEspo, withPassword, withToken } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';

let annals: StartedAnnals;
let admin: ApiClient;
let providerId: string;
let scim: ScimClient;
let scimToken: string;
let salesTeam: string;
let sellerRole: string;

const settings = {
  name: 'Example login',
  issuer: 'https://login.example',
  clientId: 'annals',
  isActive: false,
};

beforeAll(async () => {
  annals = await startAnnals();
  admin = createApiClient(annals.url, withPassword(annals.admin));
  salesTeam = String(recordIn(await admin.post('/Team', { name: 'Sales' })).id);
  sellerRole = String(recordIn(await admin.post('/Role', { name: 'Seller' })).id);
  const groups = [
    { group: 'Sales', teamsIds: [salesTeam], rolesIds: [] },
    { group: 'object-id-1', teamsIds: [], rolesIds: [sellerRole] },
  ];
  providerId = String(recordIn(await admin.post('/Oidc/settings', { ...settings, groups })).id);
  scimToken = await createToken(providerId);
  scim = createScimClient(scimToken);
});

afterAll(async () => {
  admin?.close();
  await annals?.stop();
});

async function createToken(id: string): Promise<string> {
  const { body } = await admin.post(`/Oidc/settings/${id}/scimToken`);
  return String(Object(body).token);
}

type ScimClient = ReturnType<typeof createScimClient>;

/** Sends requests as providers do. */
function createScimClient(token: string, contentType = 'application/scim+json') {
  const send = async (method: string, path: string, body?: unknown) =>
    admin.send({
      method,
      target: `/api/scim/v2${path}`,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': contentType },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    send,
    get: async (path: string) => send('GET', path),
    post: async (path: string, body: unknown) => send('POST', path, body),
    put: async (path: string, body: unknown) => send('PUT', path, body),
    patch: async (path: string, ...Operations: readonly unknown[]) =>
      send('PATCH', path, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations,
      }),
    delete: async (path: string) => send('DELETE', path),
  };
}

function resourceIn(
  answer: ApiAnswer,
  status = 200,
): Readonly<Record<string, unknown>> & { id: string } {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  expect(answer.headers['content-type']).toMatch(/^application\/scim\+json/);
  return Object(answer.body);
}

const find = async (path: string, filter: string) =>
  resourceIn(await scim.get(`${path}?filter=${encodeURIComponent(filter)}`));

function expectError(
  answer: ApiAnswer,
  status: number,
  scimType: string | undefined,
  detail = /./,
): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: expect.stringMatching(detail),
    },
  ]);
}

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

async function createUser(userName: string, more: object = {}): Promise<string> {
  return resourceIn(await scim.post('/Users', { schemas: [userSchema], userName, ...more }), 201)
    .id;
}

async function createGroup(displayName: string, members: readonly string[] = []): Promise<string> {
  const body = { displayName, members: members.map((value) => ({ value })) };
  return resourceIn(await scim.post('/Groups', body), 201).id;
}

const membersOf = async (id: string) => {
  const { members } = resourceIn(await scim.get(`/Groups/${id}`));
  return (Array.isArray(members) ? members : []).map(({ value }) => value).toSorted();
};

/** SCIM does not wait until Postgres has the user. */
const expectUser = async (id: string, expected: object) =>
  eventually(async () => expect(recordIn(await admin.get(`/User/${id}`))).toMatchObject(expected));

/** Gives the user a password, and returns a client with the token of a log-in. */
async function logIn(id: string): Promise<ApiClient> {
  const password = 'a long password';
  const user = await eventually(async () => recordIn(await admin.put(`/User/${id}`, { password })));
  const userName = String(user['userName']);
  const client = createApiClient(annals.url, withEspo({ userName, secret: password }));
  const { token } = Object((await client.get('/App/user')).body);
  client.close();
  const loggedIn = admin.as(withToken({ userName, secret: token }));
  expect((await loggedIn.get('/App/user')).status).toBe(200);
  return loggedIn;
}

describe('provisioning with Entra ID', () => {
  it('creates, changes and deactivates a user, whose log-in ends immediately', async () => {
    const userName = 'Ann.Lee@Example.com';
    expect(await find('/Users', `userName eq "${userName}"`)).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    const body = {
      schemas: [userSchema, enterprise],
      externalId: 'ann-object-id',
      userName,
      active: true,
      displayName: 'Ann Lee',
      emails: [{ primary: true, type: 'work', value: 'ann@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ann Lee', familyName: 'Lee', givenName: 'Ann' },
      title: 'Manager',
      [enterprise]: { department: 'Sales' },
    };
    const created = await scim.post('/Users', body);
    const { id } = resourceIn(created, 201);
    expect(created.headers['location']).toBe(`${annals.url}/api/scim/v2/Users/${id}`);
    expect(created.body).toMatchObject({
      schemas: [userSchema],
      userName,
      externalId: 'ann-object-id',
      active: true,
      emails: body.emails,
      meta: { resourceType: 'User', created: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect(await find('/Users', `userName eq "${userName.toLowerCase()}"`)).toMatchObject({
      totalResults: 1,
      Resources: [{ id, userName }],
    });
    expect(await find('/Users', 'externalId eq "ann-object-id"')).toMatchObject({
      totalResults: 1,
    });

    await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'name.givenName', value: 'Anna' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 123456' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'anna@example.com' },
      { op: 'Add', path: `${enterprise}:manager`, value: 'x' },
    );
    await expectUser(id, {
      userName: 'ann.lee@example.com',
      name: 'Anna Lee',
      emailAddress: 'anna@example.com',
      phoneNumberData: [expect.objectContaining({ phoneNumber: '+4930123456', type: 'Mobile' })],
      type: 'regular',
      createdById: 'system',
    });

    const loggedIn = await logIn(id);
    const off = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(resourceIn(off)).toMatchObject({ active: false });
    expect((await loggedIn.get('/App/user')).status).toBe(401);
    await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    expect((await loggedIn.get('/App/user')).status).toBe(401);
    await eventually(async () => {
      const { list } = listIn(await admin.get(`/User/${id}/history`));
      const changes = list.flatMap(({ changes: some }) => (Array.isArray(some) ? some : []));
      const deactivation = { attribute: 'isActive', before: true, after: false };
      expect(changes).toContainEqual(deactivation);
    });
  });

  it('creates a group without members, then adds and removes single members', async () => {
    const [ann, bob] = [await createUser('entra.ann'), await createUser('entra.bob')];
    const body = {
      schemas: [groupSchema],
      externalId: 'object-id-1',
      displayName: 'Entra sellers',
    };
    const { id } = resourceIn(await scim.post('/Groups', body), 201);
    const member = (value: string) => [{ $ref: null, value }];
    const added = await scim.patch(
      `/Groups/${id}`,
      { op: 'Add', path: 'members', value: member(ann) },
      { op: 'Add', path: 'members', value: member(bob) },
    );
    expect([added.status, added.text]).toEqual([204, '']);
    await expectUser(ann, { rolesIds: [sellerRole], teamsIds: [] });
    await expectUser(bob, { rolesIds: [sellerRole] });
    expect(resourceIn(await scim.get(`/Users/${ann}`))['groups']).toEqual([
      { value: id, display: 'Entra sellers', type: 'direct' },
    ]);
    await scim.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: member(ann) });
    await expectUser(ann, { rolesIds: [] });
    await expectUser(bob, { rolesIds: [sellerRole] });
    // As after a process that ended between the membership and the rights: the provider repeats its request.
    recordIn(await admin.put(`/User/${ann}`, { rolesIds: [sellerRole] }));
    await scim.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: member(ann) });
    await expectUser(ann, { rolesIds: [] });
    const filter = encodeURIComponent('displayName eq "entra sellers"');
    const { Resources } = resourceIn(
      await scim.get(`/Groups?filter=${filter}&excludedAttributes=members`),
    );
    expect(Resources).toEqual([
      {
        schemas: [groupSchema],
        id,
        externalId: 'object-id-1',
        displayName: 'Entra sellers',
        meta: expect.anything(),
      },
    ]);
  });
});

describe('provisioning with Okta', () => {
  it('replaces whole users and groups, and keeps teams that were assigned otherwise', async () => {
    expect(await find('/Users', 'userName eq "olga@example.com"')).toMatchObject({
      totalResults: 0,
    });
    const body = {
      schemas: [userSchema],
      userName: 'olga@example.com',
      name: { givenName: 'Olga', familyName: 'Orr' },
      emails: [{ primary: true, value: 'olga@example.com', type: 'work' }],
      displayName: 'Olga Orr',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: 'Not 4 us',
      active: true,
    };
    const created = resourceIn(await scim.post('/Users', body), 201);
    const { id } = created;
    const other = String(recordIn(await admin.post('/Team', { name: 'Other' })).id);
    await eventually(async () => recordIn(await admin.put(`/User/${id}`, { teamsIds: [other] })));
    const group = await createGroup('Sales', [id]);
    await expectUser(id, { teamsIds: expect.arrayContaining([other, salesTeam]) });
    const second = await createUser('okta.second');
    const members = [{ value: second, display: 'Second' }];
    resourceIn(await scim.put(`/Groups/${group}`, { id: group, displayName: 'Sales', members }));
    await expectUser(id, { teamsIds: [other] });
    await expectUser(second, { teamsIds: [salesTeam] });
    await scim.patch(`/Groups/${group}`, {
      op: 'replace',
      value: { id: group, displayName: 'Renamed' },
    });
    await expectUser(second, { teamsIds: [] });
    expect(await membersOf(group)).toEqual([second]);
    await scim.patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'Sales' } });
    await expectUser(second, { teamsIds: [salesTeam] });
    expect((await scim.delete(`/Groups/${group}`)).status).toBe(204);
    await expectUser(second, { teamsIds: [] });
    expectError(await scim.get(`/Groups/${group}`), 404, undefined);

    const loggedIn = await logIn(id);
    const off = await scim.put(`/Users/${id}`, { ...created, title: 'Guest', active: false });
    expect(resourceIn(off)).toMatchObject({ active: false, title: 'Guest' });
    expect((await loggedIn.get('/App/user')).status).toBe(401);
  });

  it('deactivates a user even if another value of the request is invalid', async () => {
    const id = await createUser('okta.invalid');
    const phoneNumbers = [{ value: 'none', type: 'work' }];
    const answer = await scim.put(`/Users/${id}`, { active: false, phoneNumbers });
    expectError(answer, 400, 'invalidValue', /must be a telephone number/);
    expect(resourceIn(await scim.get(`/Users/${id}`))).toMatchObject({ active: false });
  });
});

describe('users of a provider', () => {
  it('are created once', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(async () => scim.post('/Users', { userName: 'Once' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    for (const answer of answers) {
      if (answer.status === 409)
        expectError(answer, 409, 'uniqueness', /once.*in use|once belongs/);
    }
    expect(await find('/Users', 'userName eq "once"')).toMatchObject({ totalResults: 1 });
  });

  it('are deactivated by DELETE, then unknown, and activated again when they are created again', async () => {
    const id = await createUser('leaver', { title: 'First' });
    const group = await createGroup('Leavers', [id]);
    expect((await scim.delete(`/Users/${id}`)).status).toBe(204);
    await expectUser(id, { isActive: false });
    expectError(await scim.get(`/Users/${id}`), 404, undefined, /does not exist/);
    expectError(await scim.delete(`/Users/${id}`), 404, undefined);
    expect(await find('/Users', 'userName eq "leaver"')).toMatchObject({ totalResults: 0 });
    expect(await membersOf(group)).toEqual([]);
    expect(await createUser('LEAVER', { externalId: 'again' })).toBe(id);
    await expectUser(id, { isActive: true, title: 'First' });
    expect(await membersOf(group)).toEqual([]);
  });

  it('are only the users that it manages, until it may link users by name, and never API users', async () => {
    const { userName } = annals.user;
    const filter = `userName eq "${userName}"`;
    expect(await find('/Users', filter)).toMatchObject({ totalResults: 0 });
    const taken = await scim.post('/Users', { userName });
    expectError(taken, 409, 'uniqueness', /allow the provider to link users by name/);
    const linking = {
      ...settings,
      name: 'Linking',
      issuer: 'https://2.example',
      linksByUserName: true,
    };
    const other = String(recordIn(await admin.post('/Oidc/settings', linking)).id);
    const linked = createScimClient(await createToken(other));
    const { Resources } = Object((await linked.get('/Users')).body);
    const names = Resources.map((one: { userName: string }) => one.userName);
    expect(names).toContain(userName);
    expect(names).not.toContain(annals.admin.userName);
    expect(names).not.toContain('system');
    const [{ id }] = Resources.filter((one: { userName: string }) => one.userName === userName);
    expect(
      resourceIn(await linked.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'T' })),
    ).toMatchObject({ title: 'T' });
    const admins = { ...linking, allowsAdministrators: true };
    recordIn(await admin.put(`/Oidc/settings/${other}`, admins));
    expect((await linked.get('/Users')).text).toContain(`"${annals.admin.userName}"`);
    const types = listIn(await admin.get('/User?maxSize=200&select=type,userName')).list;
    const ofApi = types.find(({ type }) => type === 'api')?.['userName'];
    expect((await linked.get('/Users')).text).not.toContain(`"${ofApi}"`);
    expect((await admin.delete(`/Oidc/settings/${other}`)).body).toBe(true);
    expectError(await linked.get('/Users'), 401, undefined);
  });

  it('are listed in pages', async () => {
    await createUser('page.one');
    await createUser('page.two');
    const first = resourceIn(await scim.get('/Users?count=1&attributes=userName'));
    const second = resourceIn(await scim.get('/Users?startIndex=2&count=1&attributes=userName'));
    const none = resourceIn(await scim.get('/Users?count=0'));
    expect(first['totalResults']).toBe(second['totalResults']);
    expect(none).toMatchObject({ totalResults: first['totalResults'], Resources: [] });
    expect(first).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    const [one, other] = [Object(first['Resources'])[0], Object(second['Resources'])[0]];
    expect(Object.keys(one)).toEqual(['schemas', 'id', 'userName']);
    expect(one.id).not.toBe(other.id);
    expect(resourceIn(await scim.get('/Users?startIndex=-5&count=100000'))).toMatchObject({
      startIndex: 1,
    });
  });
});

describe('a name of a provider that changes hands', () => {
  it('does not activate a deleted user for a person with another spelling of the name', async () => {
    const former = await createUser('jurgen.k');
    expect((await scim.delete(`/Users/${former}`)).status).toBe(204);
    const successor = await scim.post('/Users', { schemas: [userSchema], userName: 'jürgen.k' });
    expectError(successor, 409, 'uniqueness');
    await expectUser(former, { isActive: false });
  });
});

describe('a new group without members', () => {
  it('keeps the teams that users have until the provider adds its members', async () => {
    const id = await createUser('early.member');
    await eventually(async () =>
      recordIn(await admin.put(`/User/${id}`, { teamsIds: [salesTeam] })),
    );
    const sales = await find('/Groups', 'displayName eq "Sales"');
    for (const { id: known } of Object(sales)['Resources']) await scim.delete(`/Groups/${known}`);
    recordIn(await admin.put(`/User/${id}`, { teamsIds: [salesTeam] }));
    const group = await createGroup('Sales');
    await expectUser(id, { teamsIds: [salesTeam] });
    await scim.delete(`/Groups/${group}`);
  });
});

describe('500 groups of a provider', () => {
  it('keep all memberships of a user, and their rights, when 20 groups change together', async () => {
    const id = await createUser('of.many.groups');
    const names = Array.from({ length: 500 }, (_, index) => `Group ${index}`);
    const teams = await Promise.all(
      ['X', 'Y'].map(async (name) => String(recordIn(await admin.post('/Team', { name })).id)),
    );
    const groups = teams.map((team, index) => ({ group: `Group ${index}`, teamsIds: [team] }));
    const many = {
      ...settings,
      name: 'Many',
      issuer: 'https://3.example',
      groups,
      linksByUserName: true,
    };
    const provider = String(recordIn(await admin.post('/Oidc/settings', many)).id);
    const client = createScimClient(await createToken(provider));
    const made = await Promise.all(
      names.map(
        async (displayName) => resourceIn(await client.post('/Groups', { displayName }), 201).id,
      ),
    );
    const operation = { op: 'add', path: 'members', value: [{ value: id }] };
    const answers = await Promise.all(
      made.slice(0, 20).map(async (group) => client.patch(`/Groups/${group}`, operation)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await expectUser(id, { teamsIds: expect.arrayContaining(teams) });
    const { groups: ofUser } = resourceIn(await client.get(`/Users/${id}`));
    expect(ofUser).toHaveLength(20);
    expect(resourceIn(await client.get('/Groups?count=1000'))).toMatchObject({
      totalResults: 500,
      itemsPerPage: 200,
    });
    expectError(await client.post('/Groups', { displayName: 'Group 7' }), 409, 'uniqueness');
  });
});

describe('a bad request', () => {
  const huge = { displayName: 'Huge', members: Array(60_000).fill({ value: 'abcdefghijklm' }) };
  it.each([
    [
      'a filter that is not supported',
      'GET',
      '/Users?filter=userName%20gt%20%22a%22',
      undefined,
      400,
      'invalidFilter',
    ],
    ['a start that is not a number', 'GET', '/Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['a count that is empty', 'GET', '/Groups?count=', undefined, 400, 'invalidValue'],
    ['a body that is not JSON', 'POST', '/Users', '{', 400, 'invalidSyntax'],
    ['a body that is a list', 'POST', '/Users', '[]', 400, 'invalidSyntax'],
    ['no body', 'POST', '/Users', undefined, 400, 'invalidSyntax'],
    ['no user name', 'POST', '/Users', '{}', 400, 'invalidValue'],
    ['a user name that is a number', 'POST', '/Users', '{"userName":7}', 400, 'invalidValue'],
    [
      'a name that is too long',
      'POST',
      '/Users',
      `{"userName":"x","name":{"familyName":"${'x'.repeat(101)}"}}`,
      400,
      'invalidValue',
    ],
    [
      'NUL in an external id',
      'POST',
      '/Users',
      '{"userName":"x","externalId":"\\u0000"}',
      400,
      'invalidValue',
    ],
    [
      'an address that is invalid',
      'POST',
      '/Users',
      '{"userName":"x","emails":[{"value":"x"}]}',
      400,
      'invalidValue',
    ],
    ['a group without a name', 'POST', '/Groups', '{}', 400, 'invalidValue'],
    [
      'an unknown member',
      'POST',
      '/Groups',
      '{"displayName":"x","members":[{"value":"nobody"}]}',
      400,
      'invalidValue',
    ],
    [
      'a member without an id',
      'POST',
      '/Groups',
      '{"displayName":"x","members":[{}]}',
      400,
      'invalidValue',
    ],
    [
      'a member that is a number',
      'POST',
      '/Groups',
      '{"displayName":"x","members":[7]}',
      400,
      'invalidValue',
    ],
    ['a body over a megabyte', 'POST', '/Groups', JSON.stringify(huge), 413, undefined],
    ['an unknown user', 'PATCH', '/Users/unknown', '{}', 404, undefined],
    ['an id that is odd', 'PUT', '/Groups/%00', '{}', 404, undefined],
    ['an unknown path', 'GET', '/Bulk', undefined, 404, undefined],
  ])('gets a SCIM error: %s', async (_title, method, path, body, status, scimType) => {
    expectError(await scim.send(method, path, body), status, scimType);
  });
});

describe('the token of a provider', () => {
  it('is shown once, can be replaced and removed, and only administrators do so', async () => {
    const other = { ...settings, name: 'Other', issuer: 'https://4.example' };
    const id = String(recordIn(await admin.post('/Oidc/settings', other)).id);
    const path = `/Oidc/settings/${id}/scimToken`;
    const first = await createToken(id);
    const second = await createToken(id);
    expectError(await createScimClient(first).get('/Users'), 401, undefined);
    expect((await createScimClient(second).get('/Users')).status).toBe(200);
    const shown = await admin.get('/Oidc/settings');
    const listed = Object(shown.body).list.find((one: { id: string }) => one.id === id);
    expect(listed).toMatchObject({ hasScimToken: true });
    expect(shown.text).not.toContain(second);
    recordIn(await admin.put(`/Oidc/settings/${id}`, listed));
    expect((await createScimClient(second).get('/Users')).status).toBe(200);
    const user = admin.as(withPassword(annals.user));
    for (const answer of [await user.post(path), await user.delete(path)]) {
      expect([answer.status, answer.body]).toMatchObject([403, { code: 'access.admin_only' }]);
    }
    expect((await admin.post('/Oidc/settings/unknown/scimToken')).status).toBe(404);
    expect((await admin.delete(path)).body).toBe(true);
    expectError(await createScimClient(second).get('/Users'), 401, undefined);
    expect((await admin.as(anonymous).post(path)).status).toBe(401);
  });

  it('opens the descriptions of the service', async () => {
    const config = resourceIn(await scim.get('/ServiceProviderConfig'));
    expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    expect(resourceIn(await scim.get('/ResourceTypes'))).toMatchObject({ totalResults: 2 });
    expect(resourceIn(await scim.get(`/Schemas/${userSchema}`))).toMatchObject({ name: 'User' });
    const { Resources } = resourceIn(await scim.get('/Schemas'));
    expect(Resources).toMatchObject([{ id: userSchema }, { id: groupSchema }]);
  });

  it('is limited per address if it is wrong', async () => {
    const guess = async (token = 'guessed') => {
      const client = createApiClient(annals.url, anonymous, { localAddress: '127.0.1.9' });
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await client.send({ method: 'GET', target: '/api/scim/v2/Users', headers });
      client.close();
      return answer;
    };
    const first = await guess();
    expectError(first, 401, undefined);
    expect(first.headers['www-authenticate']).toBe('Bearer');
    for (let attempt = 0; attempt < 10; attempt += 1) await guess();
    expectError(await guess(), 403, undefined, /Too many wrong tokens/);
    expect((await guess(scimToken)).status).toBe(200);
    expect((await scim.get('/Users')).status).toBe(200);
  });
});
