import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
  type WireRecord,
} from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    env: { ANNALS_TOPIC_PREFIX: `convert-${process.pid}`, API_CUSTOM_PREFIX: 'taken' },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});
afterAll(async () => {
  api.close();
  await product.remove();
});

const makeLead = async (lastName: string) =>
  String(recordIn(await api.post('/Lead', { lastName }))['id']);
const recordsFor = (name: string) => ({
  Account: { name: `${name} Ltd` },
  Contact: { firstName: 'Ann', lastName: name },
  Opportunity: { name: `${name} deal`, amount: 500, closeDate: '2030-01-31' },
});
const at = { dateStart: '2030-01-01 10:00:00', dateEnd: '2030-01-01 11:00:00' };
const make = async (entityType: string, body: object) =>
  recordIn(
    await api.post(`/${entityType}`, { name: 'Talk', ...at, assignedUserId: 'admin', ...body }),
  );
const readBack = async (entityType: string, { id }: WireRecord) =>
  recordIn(await api.get(`/${entityType}/${id}`));
const convert = async (body: object, headers = {}) =>
  api.post('/Lead/action/convert', body, headers);

it('lead conversion rejects methods other than POST and names the allowed method', async () => {
  for (const send of [api.get, api.delete]) {
    const { status, headers } = await send('/Lead/action/convert');
    expect([status, headers['allow']]).toEqual([405, 'OPTIONS, POST']);
  }
});

describe('a lead', () => {
  it('is converted into a linked account, contact and opportunity', async () => {
    const { id } = recordIn(await api.post('/Lead', { lastName: 'Whole', title: 'Buyer' }));
    const answer = await convert({ id, records: recordsFor('Whole') });
    expect(answer.status, answer.text).toBe(200);
    const lead = recordIn(answer);
    expect(lead).toMatchObject({
      id,
      status: 'Converted',
      createdAccountName: 'Whole Ltd',
      createdContactName: 'Ann Whole',
      createdOpportunityName: 'Whole deal',
    });
    expect(answer.text).not.toContain('conversion');
    const accountId = lead['createdAccountId'];
    const contactId = lead['createdContactId'];
    expect((await api.get(`/Contact/${contactId}`)).body).toMatchObject({
      accountId,
      accountName: 'Whole Ltd',
      originalLeadId: id,
      originalLeadName: 'Whole',
      title: 'Buyer',
      accountsColumns: { [String(accountId)]: { role: 'Buyer' } },
    });
    expect(answer.headers['x-consistency-token']).toMatch(/^r\d+-\d+(?:,r\d+-\d+)*$/);
    expect((await api.get(`/Opportunity/${lead['createdOpportunityId']}`)).body).toMatchObject({
      accountId,
      contactId,
      contactsIds: [contactId],
    });
    expect((await api.get('/Lead?primaryFilter=converted')).body).toMatchObject({ total: 1 });
  });

  it('passes its links to the created records once', async () => {
    const id = await makeLead('Linked');
    const [meeting, call, stranger] = [
      await make('Meeting', { leadsIds: [id] }),
      await make('Call', { parentType: 'Lead', parentId: id }),
      await make('Meeting', { leadsIds: [await makeLead('Stranger')] }),
    ];
    const key = { 'Idempotency-Key': 'convert-linked' };
    const body = { id, records: recordsFor('Linked') };
    const answer = await convert(body, key);
    expect(answer.status, answer.text).toBe(200);
    const { createdContactId, createdOpportunityId } = recordIn(answer);
    expect(await readBack('Meeting', meeting)).toMatchObject({
      leadsIds: [id],
      contactsIds: [createdContactId],
      contactsNames: { [String(createdContactId)]: 'Ann Linked' },
      parentType: 'Opportunity',
      parentId: createdOpportunityId,
      parentName: 'Linked deal',
    });
    expect(await readBack('Call', call)).toMatchObject({
      contactsIds: [],
      parentId: createdOpportunityId,
    });
    expect(await readBack('Meeting', stranger)).toMatchObject({ contactsIds: [], parentId: null });

    const lead = await api.get(`/Lead/${id}`);
    expect(lead.headers['etag']).toBe(answer.headers['etag']);
    await api.put(`/Meeting/${meeting.id}`, { contactsIds: [] });
    const again = await convert(body, key);
    expect(again.body).toEqual(answer.body);
    expect(again.headers['etag']).toBe(answer.headers['etag']);
    expect(await readBack('Meeting', meeting)).toMatchObject({ contactsIds: [] });
  });

  it('only changes its status if no record is to be created', async () => {
    const id = await makeLead('Alone');
    expect((await convert({ id, records: {} })).body).toMatchObject({
      status: 'Converted',
      createdAccountId: null,
    });
  });

  it('is converted once per Idempotency-Key', async () => {
    const id = await makeLead('Keyed');
    const key = { 'Idempotency-Key': 'convert-once' };
    const body = { id, records: recordsFor('Keyed') };
    const first = await convert(body, key);
    const again = await convert(body, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const where = [{ type: 'equals', attribute: 'name', value: 'Keyed Ltd' }];
    const found = await api.get(
      `/Account?searchParams=${encodeURIComponent(JSON.stringify({ where }))}`,
    );
    expect(found.body).toMatchObject({ total: 1 });
  });

  it('stays unchanged if any of the requested records is invalid', async () => {
    const id = await makeLead('Untouched');
    const good = recordsFor('Untouched');
    await api.post('/Account', { name: 'Untouched Ltd' });
    const bad: readonly (readonly [object, number])[] = [
      [{ id, records: { ...good, Opportunity: { name: 'No amount' } } }, 400],
      [{ id, records: { Case: { name: 'x' } } }, 400],
      [{ id, records: 'all' }, 400],
      [{ records: good }, 400],
      [{ id, records: good }, 409],
      [{ id: 'nobody', records: {} }, 404],
    ];
    for (const [body, status] of bad) expect((await convert(body)).status).toBe(status);
    expect((await api.get(`/Lead/${id}`)).body).toMatchObject({ status: 'New' });
    const insisted = await convert({ id, records: good, skipDuplicateCheck: true });
    expect(insisted.status).toBe(200);
  });

  it('provides initial values for the records to create', async () => {
    const names = { lastName: 'Hopper', accountName: 'Navy', opportunityAmount: 5 };
    const { id } = recordIn(await api.post('/Lead', names));
    const answer = await api.post('/Lead/action/getConvertAttributes', { id });
    expect(answer.body).toMatchObject({
      Account: { name: 'Navy' },
      Contact: { lastName: 'Hopper' },
      Opportunity: { amount: 5, amountCurrency: 'USD' },
    });
    expect(Object(answer.body).Contact).not.toHaveProperty('accountName');
    for (const [body, status] of [
      [{}, 400],
      [{ id: 'nobody' }, 404],
      [{ id: '\u0000' }, 404],
    ] as const) {
      expect((await api.post('/Lead/action/getConvertAttributes', body)).status).toBe(status);
    }
  });

  it('is converted entirely or not at all when the process dies', {
    timeout: 240_000,
  }, async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => makeLead(`Crash${n}`)),
    );
    const meetings = await Promise.all(ids.map(async (id) => make('Meeting', { leadsIds: [id] })));
    const converting = ids.map(async (id, n) => {
      await convert({ id, records: recordsFor(`Crash${n}`) }).catch(() => undefined);
    });
    // While one conversion completes, others are decided but not yet complete.
    await Promise.race(converting);
    product.kill('api');
    await Promise.all(converting);
    await product.waitUntilReady('api');
    await eventually(
      async () => {
        for (const [n, id] of ids.entries()) await expectWhole(id, String(meetings[n]?.id));
      },
      { timeoutMs: 60_000, intervalMs: 1_000 },
    );
  });
});

async function expectWhole(id: string, meetingId: string): Promise<void> {
  const lead = recordIn(await api.get(`/Lead/${id}`));
  const isConverted = lead['status'] === 'Converted';
  for (const target of ['Account', 'Contact', 'Opportunity']) {
    const made = lead[`created${target}Id`];
    if (isConverted) expect((await api.get(`/${target}/${made}`)).status).toBe(200);
    else expect(made).toBeNull();
  }
  const meeting = recordIn(await api.get(`/Meeting/${meetingId}`));
  expect(meeting['contactsIds']).toEqual(isConverted ? [lead['createdContactId']] : []);
  expect(meeting['parentId']).toBe(isConverted ? lead['createdOpportunityId'] : null);
  const history = listIn(await api.get(`/Meeting/${meetingId}/history`));
  expect(history.total).toBe(isConverted ? 2 : 1);
}

it('converting a lead and copying a record also copy files', async () => {
  const admin = createApiClient(product.url, withPassword(product.access().admin));
  for (const entityType of ['Lead', 'Contact']) {
    for (const field of [
      { name: 'scan', type: 'file' },
      { name: 'papers', type: 'attachmentMultiple' },
    ]) {
      const made = await admin.post(`/Admin/fieldManager/${entityType}`, field);
      expect(made.status, made.text).toBe(200);
    }
  }
  const upload = async (place: object, text: string) => {
    const file = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;
    const body = { name: `${text}.txt`, type: 'text/plain', role: 'Attachment', file, ...place };
    return String(recordIn(await admin.post('/Attachment', body))['id']);
  };
  const scanId = await upload({ relatedType: 'Lead', field: 'scan' }, 'one');
  const papersIds = [
    await upload({ parentType: 'Lead', field: 'papers' }, 'two'),
    await upload({ parentType: 'Lead', field: 'papers' }, 'three'),
  ];
  const lead = recordIn(await admin.post('/Lead', { lastName: 'Filed', scanId, papersIds }));
  const { id } = lead;
  const offered = await admin.post('/Lead/action/getConvertAttributes', { id });
  const { Contact: attributes } = offered.body as { Contact: WireRecord };
  expect(attributes['scanName']).toBe('one.txt');
  expect(Object.values(attributes['papersNames'] as object)).toEqual(['two.txt', 'three.txt']);
  const records = { Contact: attributes };
  const converted = await admin.post('/Lead/action/convert', { id, records });
  expect(converted.status, converted.text).toBe(200);
  const contactId = recordIn(converted)['createdContactId'];
  const contact = recordIn(await admin.get(`/Contact/${contactId}`));
  const copies = [contact['scanId'], ...(contact['papersIds'] as string[])];
  expect(copies).toHaveLength(3);
  for (const copy of copies) expect([scanId, ...papersIds]).not.toContain(copy);
  const texts = await Promise.all(
    copies.map(async (copy) => (await admin.get(`/Attachment/file/${copy}`)).text),
  );
  expect(texts).toEqual(['one', 'two', 'three']);
  expect(await readBack('Lead', lead)).toMatchObject({ scanId, papersIds });

  const duplicate = await admin.post('/Contact/action/getDuplicateAttributes', { id: contactId });
  const copied = await admin.post('/Contact', duplicate.body as object, {
    'x-skip-duplicate-check': 'true',
  });
  expect(copied.status, copied.text).toBe(200);
  expect(recordIn(copied)).toMatchObject({ scanName: 'one.txt' });
  expect(recordIn(copied)['scanId']).not.toBe(contact['scanId']);
  admin.close();
});

it("lead conversion keeps the middle name and follows the installation's name format", async () => {
  const admin = createApiClient(product.url, withPassword(product.access().admin));
  const person = { firstName: 'Ann', middleName: 'Mary', lastName: 'Mason' };
  const skip = { 'x-skip-duplicate-check': 'true' };
  const make = async () => recordIn(await admin.post('/Contact', person, skip));
  expect(await make()).toMatchObject({ ...person, name: 'Ann Mason' });
  expect((await api.put('/Settings', { personNameFormat: 'lastFirst' })).status).toBe(403);
  for (const [personNameFormat, name] of [
    ['lastFirst', 'Mason Ann'],
    ['firstMiddleLast', 'Ann Mary Mason'],
    ['lastFirstMiddle', 'Mason Ann Mary'],
    ['firstLast', 'Ann Mason'],
  ]) {
    const changed = await admin.put('/Settings', { personNameFormat });
    expect(changed.status, changed.text).toBe(200);
    expect((await admin.get('/Settings')).body).toMatchObject({ personNameFormat });
    const made = await make();
    expect(made).toMatchObject({ ...person, name });
    const renamed = await admin.put(`/Contact/${made['id']}`, { middleName: 'Lou' });
    expect(recordIn(renamed)['name']).toBe(name?.replace('Mary', 'Lou'));
  }
  for (const body of [{ personNameFormat: 'last' }, { siteUrl: 'x' }, {}]) {
    expect((await admin.put('/Settings', body)).status).toBe(400);
  }
  const found = await api.get(`/Contact?textFilter=${encodeURIComponent('Mason Ann')}`);
  expect(found.body).toMatchObject({ total: 5 });

  const lead = recordIn(await admin.post('/Lead', person));
  const offered = await admin.post('/Lead/action/getConvertAttributes', { id: lead['id'] });
  expect(offered.body).toMatchObject({ Contact: person });
  admin.close();
});

it('lead conversion rejects numbers that would lose digits in any of the records', async () => {
  const where = [{ type: 'equals', attribute: 'opportunityAmount', value: '9007199254740993' }];
  const text = '{"lastName":"X","description":9007199254740993}';
  const sent = await fetch(`${product.url}/api/v1/Lead`, {
    method: 'POST',
    headers: { 'x-api-key': product.access().apiKey.apiKey, 'content-type': 'application/json' },
    body: text,
  });
  expect([sent.status, await sent.json()]).toMatchObject([
    400,
    { code: 'body.number_digits', message: expect.stringContaining("'description'") },
  ]);
  const found = await api.get(`/Lead?where=${encodeURIComponent(JSON.stringify(where))}`);
  expect([found.status, found.body]).toMatchObject([400, { code: 'where.invalid' }]);
});
