import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  recordIn,
} from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let api: ApiClient;
let admin: ApiClient;
let ids: readonly string[];
const limit = 20;
const maxBytes = 15_000_000;
const unchecked = { 'X-Skip-Duplicate-Check': 'true' };
const longText = 'x'.repeat(12_000);

beforeAll(async () => {
  annals = await startAnnals({
    env: {
      API_EXPORT_LIMIT: `${limit}`,
      API_EXPORT_MAX_BYTES: `${maxBytes}`,
    },
  });
  admin = createApiClient(annals.url, withPassword(annals.admin));
  api = (await makeUser({ Account: all }, { exportPermission: 'yes' })).client;
  const bodies = [
    { name: 'Béta, Ltd', type: 'Customer', description: longText },
    { name: 'Gamma', type: 'Partner', description: '=HYPERLINK("x")' },
    { name: 'Alpha', type: 'Customer', website: 'https://alpha.example' },
  ];
  const made: string[] = [];
  for (const body of bodies) {
    made.push(recordIn(await admin.post('/Account', body, unchecked)).id);
  }
  ids = made;
});

afterAll(async () => {
  admin?.close();
  await annals?.stop();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

/** Creates an API user with its own role. */
async function makeUser(data: object, more: object = {}) {
  const name = `user-${unique('x').replace(' ', '-')}`.toLowerCase();
  const role = recordIn(await admin.post('/Role', { name, data, ...more }));
  const user = recordIn(
    await admin.post('/User', { userName: name, type: 'api', rolesIds: [role.id] }),
  );
  return { client: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

const start = async (body: object, client: ApiClient = api) =>
  client.post('/Export', { entityType: 'Account', format: 'csv', ...body });

const codeOf = ({ status, body }: ApiAnswer) => [status, Object(body)['code']];

/** Returns the lines of an export file; the first one has the column names. */
async function linesOf(body: object, client: ApiClient = api): Promise<readonly string[]> {
  const { id } = recordIn(await start(body, client));
  const file = await client.get(`/Attachment/file/${id}`);
  expect(file.status, file.text).toBe(200);
  expect(file.headers['content-type']).toBe('text/csv');
  expect(file.headers['content-disposition']).toContain('Export_Account.csv');
  return file.text.split('\r\n').slice(0, -1);
}

describe('an export', () => {
  it('contains the records with the given ids and the columns in the requested order', async () => {
    const lines = await linesOf({
      ids,
      attributeList: ['name', 'id', 'nothing', 'website', 'description'],
    });
    expect(lines[0]).toBe('name,id,website,description');
    expect(lines.slice(1).toSorted()).toEqual(
      [
        `"Béta, Ltd",${ids[0]},,${longText}`,
        `Gamma,${ids[1]},,"'=HYPERLINK(""x"")"`,
        `Alpha,${ids[2]},https://alpha.example,`,
      ].toSorted(),
    );
  });

  it('contains the records of a search in order with untruncated texts', async () => {
    const where = [{ type: 'equals', attribute: 'type', value: 'Customer' }];
    const searchParams = { where, orderBy: 'name', order: 'desc' };
    const lines = await linesOf({ searchParams, fieldList: ['name', 'description'] });
    expect(lines).toEqual(['name,description', `"Béta, Ltd",${longText}`, 'Alpha,']);
    const fieldList = ['website', 'id', 'nothing', 'assignedUser', 'name'];
    expect((await linesOf({ ids, fieldList }))[0]).toBe(
      'website,id,assignedUserId,assignedUserName,name',
    );
    expect(await linesOf({ where, attributeList: ['id'] })).toHaveLength(3);
  });

  it('contains only the records and fields that the user may read', async () => {
    const more = {
      exportPermission: 'yes',
      fieldData: { Account: { website: { read: 'no', edit: 'no' } } },
    };
    const { client } = await makeUser({ Account: { create: 'yes', read: 'own' } }, more);
    expect(await linesOf({ ids, attributeList: ['name', 'website'] }, client)).toEqual(['name']);
    expect(await linesOf({ ids, fieldList: ['website', 'name'] }, client)).toEqual(['name']);
    expect(codeOf(await start({ ids, fieldList: ['website'] }, client))).toEqual([
      400,
      'export.invalid',
    ]);
    const usual = await linesOf({ ids }, client);
    expect(usual[0]).toMatch(/^id,name,/);
    expect(usual[0]).not.toContain('website');
  });

  it('is a spreadsheet with labels in the requested language', async () => {
    const attributeList = ['name', 'createdAt', 'description', 'assignedUserName'];
    const body = { entityType: 'Account', format: 'xlsx', ids, attributeList };
    const headers = { 'Accept-Language': 'de' };
    const started = await admin.post('/Export', { ...body, timeZone: 'Europe/Berlin' }, headers);
    const path = `/api/v1/Attachment/file/${recordIn(started).id}`;
    const credentials = withPassword(annals.admin)('GET', path);
    const file = await fetch(annals.url + path, { headers: credentials });
    expect(file.headers.get('content-disposition')).toContain('Export_Account.xlsx');
    const parts = unzipSync(new Uint8Array(await file.arrayBuffer()));
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet.match(/<row /g)).toHaveLength(4);
    expect(sheet).toContain('>Angelegt am<');
    expect(sheet).toContain(`>${longText}<`);
    expect(sheet).toMatch(/<c r="B2" s="3"><v>4\d{4}\.\d+<\/v><\/c>/);

    expect(codeOf(await start({ ids, timeZone: 'Mars/Olympus' }))).toEqual([400, 'export.invalid']);
  });

  it('can be read only by its creator', async () => {
    const { id } = recordIn(await start({ ids }));
    const { client } = await makeUser({ Account: all }, { exportPermission: 'yes' });
    expect((await client.get(`/Attachment/file/${id}`)).status).toBe(403);
    expect((await client.get(`/Export/${id}/status`)).status).toBe(403);
    const record = recordIn(await api.get(`/Attachment/${id}`));
    expect(record).toMatchObject({ role: 'Export File', field: null, type: 'text/csv' });
    const taken = await api.post('/Case', { name: 'C', attachmentsIds: [id] });
    expect(taken.status).toBe(403);
  });

  it('reports its status and its attachment if it runs in the background', async () => {
    const { exportId } = Object((await start({ ids, idle: true })).body);
    const status = await api.get(`/Export/${exportId}/status`);
    expect(status.body).toEqual({ status: 'Success', attachmentId: exportId });
    expect((await api.post(`/Export/${exportId}/subscribe`)).body).toBe(true);
    expect((await api.get('/Export/0/status')).status).toBe(404);
  });

  it('is returned again when a request repeats its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': unique('key') };
    const body = { entityType: 'Account', ids };
    const first = await api.post('/Export', body, headers);
    await admin.put(`/Account/${ids[2]}`, { sicCode: '1' });
    const again = await api.post('/Export', body, headers);
    expect(recordIn(again).id).toBe(recordIn(first).id);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('is rejected without the permission or for a type that cannot be exported', async () => {
    const plain = await makeUser({ Account: all });
    const blind = await makeUser({ Account: false }, { exportPermission: 'yes' });
    expect(codeOf(await start({ ids }, plain.client))).toEqual([403, 'export.denied']);
    expect(codeOf(await start({ ids }, blind.client))).toEqual([403, 'access.denied']);
    const where = [{ type: 'equals', attribute: 'nothing', value: 1 }];
    const refused: readonly (readonly [object, number, string])[] = [
      [{ ids, format: 'ods' }, 400, 'export.invalid'],
      [{}, 400, 'export.invalid'],
      [{ ids, where: [] }, 400, 'export.invalid'],
      [{ ids: 'all' }, 400, 'export.invalid'],
      [{ ids, attributeList: 'name' }, 400, 'export.invalid'],
      [{ ids, attributeList: [] }, 400, 'export.invalid'],
      [{ ids, fieldList: ['nothing'] }, 400, 'export.invalid'],
      [{ where }, 400, 'where.unknown_attribute'],
      [{ searchParams: { where: [], orderBy: 'nothing' } }, 400, 'order.unknown_attribute'],
      [{ ids, entityType: 'Nothing' }, 404, 'entity.unknown'],
      [{ ids, entityType: 'MassAction' }, 404, 'entity.unknown'],
      [{ ids, entityType: 'User' }, 403, 'export.not_allowed'],
      [{ ids, entityType: 'Webhook' }, 403, 'export.not_allowed'],
      [
        { ids: Array.from({ length: limit + 1 }, (_, index) => `${index}`) },
        400,
        'export.too_many',
      ],
    ];
    for (const [body, status, code] of refused) {
      expect(codeOf(await start(body))).toEqual([status, code]);
    }
  });

  it('is rejected when its search matches more records than the limit', async () => {
    const name = unique('Many');
    for (let index = 0; index <= limit; index += 1) {
      await admin.post('/Account', { name }, unchecked);
    }
    const where = [{ type: 'equals', attribute: 'name', value: name }];
    expect(codeOf(await start({ where }))).toEqual([400, 'export.too_many']);
  });
});

describe('an export of large texts', () => {
  const quotes = '"'.repeat(520_000);
  let large: readonly string[];

  beforeAll(async () => {
    const made: string[] = [];
    for (let index = 0; index < limit; index += 1) {
      const body = { name: unique('Large'), description: quotes };
      made.push(recordIn(await admin.post('/Account', body, unchecked)).id);
    }
    large = made;
  });

  const filesOfApi = async () => {
    const where = 'where[0][type]=equals&where[0][attribute]=role&where[0][value]=Export+File';
    return Object((await api.get(`/Attachment?maxSize=1&${where}`)).body).total;
  };

  it('is rejected above its byte limit and leaves no file', async () => {
    const before = await filesOfApi();
    const refused = await start({ ids: large, attributeList: ['id', 'description'] });
    expect(codeOf(refused)).toEqual([400, 'export.too_large']);
    expect(Object(refused.body).message).toContain(String(maxBytes));
    expect(Object(refused.body).message).toContain('attributeList');
    expect(await filesOfApi()).toBe(before);
    expect(await linesOf({ ids: large, attributeList: ['id'] })).toHaveLength(limit + 1);
  });

  it('contains the full texts without blocking other requests', async () => {
    const ids = large.slice(0, 12);
    let isMade = false;
    const exporting = linesOf({ ids, attributeList: ['description', 'id'] }).finally(() => {
      isMade = true;
    });
    let served = 0;
    while (!isMade) {
      const { status } = await admin.get('/Account?maxSize=5&select=name');
      expect(status).toBe(200);
      served += 1;
    }
    const lines = await exporting;
    expect(lines.slice(1).toSorted()).toEqual(
      ids.map((id) => `"${'""'.repeat(quotes.length)}",${id}`).toSorted(),
    );
    // One portion of the file takes longer than such a read.
    expect(served).toBeGreaterThan(8);
  });

  it('waits for an earlier export of the same user', async () => {
    const body = { ids: large.slice(0, 6), attributeList: ['description'] };
    const exports = await Promise.all(Array.from({ length: 3 }, async () => start(body)));
    expect(exports.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
