import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

let product: StartedProduct;
let admin: ApiClient;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: `clients-${process.pid}` } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const define = '/EntityManager/action/createEntity';
const fieldsOf = (scope: string) => `/Admin/fieldManager/${scope}`;
const unchecked = { 'X-Skip-Duplicate-Check': 'true' };

/** Creates a user whose role has these permissions. */
async function makeReader(data: object): Promise<ApiClient> {
  const role = recordIn(await admin.post('/Role', { name: `role ${Math.random()}`, data }));
  const userName = `reader-${Math.random().toString(36).slice(2)}`;
  const user = { type: 'api', userName, authMethod: 'ApiKey', rolesIds: [role.id] };
  const { apiKey } = recordIn(await admin.post('/User', user)) as unknown as { apiKey: string };
  return api.as(withApiKey({ apiKey }));
}

/** Sends these bytes, and returns everything received until the connection closes. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('a new installation', () => {
  it('adds a prefix to custom names according to its settings', async () => {
    expect((await admin.get('/Settings')).body).toMatchObject({ customPrefixDisabled: false });
    const type = { name: 'Vehicle', type: 'Base', labelSingular: 'Car', labelPlural: 'Cars' };
    expect((await admin.post(define, type)).body).toMatchObject({ name: 'CVehicle' });
    const score = await admin.post(fieldsOf('Account'), { name: 'score', type: 'int' });
    expect(score.body).toMatchObject({ name: 'cScore' });
    const wheels = await admin.post(fieldsOf('CVehicle'), { name: 'wheels', type: 'int' });
    expect(wheels.body).toMatchObject({ name: 'wheels' });
    const made = await admin.post('/CVehicle', { name: 'Van', wheels: 4 });
    expect(made.body).toMatchObject({ name: 'Van', wheels: 4 });
  });

  it('returns the labels of its types', async () => {
    const { body } = await admin.get('/I18n');
    expect(body).toMatchObject({
      Global: { scopeNames: { CVehicle: 'Car' }, scopeNamesPlural: { CVehicle: 'Cars' } },
    });
  });

  it('returns the timestamp of its definitions to everyone', async () => {
    const anonymous = await api.as(() => ({})).get('/Settings');
    expect(anonymous.body).toMatchObject({ cacheTimestamp: expect.any(Number) });
  });

  it('lists its scheduled job', async () => {
    const job = 'Process Webhook Queue';
    const { body } = await admin.get('/System/status');
    expect(body).toMatchObject({ jobs: [{ name: job, waiting: expect.any(Number) }] });
    expect((await admin.get('/OpenApi')).text).toContain(job);
    const command = ['run-queue', '--data-dir', product.dataDir];
    expect((await runCli(command, {})).stdout).toContain(job);
    expect((await admin.get('/System/audit?usr=admin')).status).toBe(400);
    expect((await admin.get('/System/audit?user=admin')).status).toBe(200);
    expect((await admin.get('/System/apiKeys?orderBy=nmae')).status).toBe(400);
  });
});

describe('a field', () => {
  it('keeps its first value if it is read-only after creation', async () => {
    const field = { name: 'origin', type: 'varchar', readOnlyAfterCreate: true };
    const made = await admin.post(fieldsOf('Account'), field);
    expect(made.body).toMatchObject({ name: 'cOrigin', readOnlyAfterCreate: true });
    const { id } = recordIn(
      await admin.post('/Account', { name: 'Fixed', cOrigin: 'web' }, unchecked),
    );
    const changed = await admin.put(`/Account/${id}`, { name: 'Fixed 2', cOrigin: 'mail' });
    expect(changed.body).toMatchObject({ name: 'Fixed 2', cOrigin: 'web' });
  });

  it('accepts numbers as text but rejects numbers that would lose digits', async () => {
    const made = await admin.post('/Account', { name: 4711, sicCode: 12 }, unchecked);
    expect(made.body).toMatchObject({ name: '4711', sicCode: '12' });
    expect((await admin.post('/Account', { name: 2 ** 60 }, unchecked)).status).toBe(400);
  });
});

describe('a client', () => {
  it('may send the values of a mass action at the top level of the body', async () => {
    const { id } = recordIn(await admin.post('/Account', { name: 'Mass' }, unchecked));
    const action = { entityType: 'Account', action: 'update', params: { ids: [id] } };
    const answer = await admin.post('/MassAction', {
      ...action,
      data: { website: 'mass.example' },
    });
    expect([answer.status, answer.body]).toMatchObject([200, { count: 1 }]);
    expect((await admin.get(`/Account/${id}`)).body).toMatchObject({ website: 'mass.example' });
  });

  it('receives user names even when it selects only some attributes', async () => {
    const { body } = await admin.get('/User?select=gender&maxSize=1');
    expect(Object.keys((body as { list: object[] }).list[0] ?? {})).toEqual(
      expect.arrayContaining(['id', 'name', 'userName', 'gender']),
    );
  });

  it('can read the lead source options with access only to opportunities', async () => {
    const reader = await makeReader({ Opportunity: { read: 'all' }, Lead: false });
    const { body } = await reader.get('/Metadata?key=entityDefs.Lead.fields.source.options');
    expect(body).toEqual(expect.arrayContaining(['Web Site']));
    expect((await reader.get('/Metadata?key=entityDefs.Lead.links')).body).toBeNull();
    expect((await reader.get('/Metadata?key=scopes.Lead')).body).toBeNull();
    const other = await makeReader({ Account: { read: 'all' } });
    expect((await other.get('/Metadata?key=entityDefs.Lead')).body).toBeNull();
  });

  it('keeps the teams of all records when it merges them', async () => {
    const teams = await Promise.all(
      ['A', 'B'].map(async (name) => recordIn(await admin.post('/Team', { name })).id),
    );
    const [target, source] = await Promise.all(
      teams.map(async (team) =>
        recordIn(await admin.post('/Account', { name: 'Merged', teamsIds: [team] }, unchecked)),
      ),
    );
    const merge = { entityType: 'Account', action: 'merge', id: target?.id };
    const data = { sourceIdList: [source?.id], attributes: {} };
    expect((await admin.post('/Action', { ...merge, data })).status).toBe(200);
    const { body } = await admin.get(`/Account/${target?.id}`);
    expect(new Set((body as { teamsIds: string[] }).teamsIds)).toEqual(new Set(teams));
  });

  it('may start a body with a byte order mark and wrap base64 lines', async () => {
    const { apiKey } = product.access().apiKey;
    const answer = await fetch(new URL('/api/v1/Account', product.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey, ...unchecked },
      body: '\uFEFF{"name":"Marked"}',
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { name: 'Marked' }]);
    const content = Buffer.from('x'.repeat(300));
    const broken = content.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const file = recordIn(
      await admin.post('/Attachment', {
        name: 'a.txt',
        type: 'text/plain',
        relatedType: 'Document',
        field: 'file',
        file: `data:text/plain;base64,${broken}`,
      }),
    );
    expect((await admin.get(`/Attachment/file/${file.id}`)).text).toBe(content.toString());
  });
});

describe('lead capture', () => {
  it('limits the number of requests per address', async () => {
    const post = async () => api.as(() => ({})).post('/LeadCapture/unknown', { lastName: 'Ann' });
    const answers = [];
    for (let count = 0; count <= 120; count++) answers.push(await post());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(last?.headers['x-status-reason']).toBe('Too many requests.');
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('an error below the HTTP routes', () => {
  it.each([
    ['without Host', 'GET /api/v1/Account HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'with an unknown expectation',
      'GET /api/v1/Account HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
      417,
    ],
    ['that is not HTTP', 'NONSENSE\r\n\r\n', 400],
  ])('is returned as JSON with a reason: a request %s', async (_, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('content-type: application/json');
    expect(answer.toLowerCase()).toContain('x-status-reason: ');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toHaveProperty('message');
  });
});
