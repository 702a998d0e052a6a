import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals();
  admin = createApiClient(annals.url, withPassword(annals.admin));
});
afterAll(async () => {
  admin.close();
  await annals.stop();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

async function userWith(rights: object): Promise<ApiClient> {
  const name = unique('u').replace(' ', '');
  const role = { name, data: { Account: all, Contact: all, ...rights } };
  const { id } = recordIn(await admin.post('/Role', role));
  const body = { userName: name, type: 'api', rolesIds: [id] };
  const user = recordIn(await admin.post('/User', body));
  return admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
}

const csv = { 'Content-Type': 'text/csv' };

async function upload(api: ApiClient, file: string): Promise<string> {
  const answer = await api.post('/Import/file', file, csv);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { readonly attachmentId: string }).attachmentId;
}

interface Found {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly undoneById: string | null;
  readonly rejectedFileId: string | null;
  readonly reasons: readonly { readonly code: string; readonly rows: readonly number[] }[];
  readonly [count: string]: unknown;
}

/** Imports a file, waits for the end, and returns the import. */
async function importFile(api: ApiClient, file: string, options: object): Promise<Found> {
  const attachmentId = await upload(api, file);
  const body = { attachmentId, headerRow: true, timeFormat: 'HH:mm', ...options };
  const answer = await api.post('/Import', body);
  expect(answer.status, answer.text).toBe(200);
  const { id } = answer.body as { readonly id: string };
  for (;;) {
    const found = recordIn(await api.get(`/Import/${id}`)) as unknown as Found;
    if (found.status !== 'In Process') return found;
  }
}

async function refusal(api: ApiClient, file: string, options: object): Promise<unknown> {
  const attachmentId = await upload(api, file);
  const body = { attachmentId, entityType: 'Account', attributeList: ['name'], ...options };
  const { status, body: refused } = await api.post('/Import', body);
  return [status, (refused as { readonly code: string }).code];
}

async function namesOf(api: ApiClient, path: string): Promise<readonly unknown[]> {
  const { list } = listIn(await api.get(`${path}?orderBy=name&order=asc`));
  return list.map(({ name }) => name);
}

const accounts = { entityType: 'Account', attributeList: ['name', 'website', 'emailAddress'] };

describe('an import of a CSV file', () => {
  it('creates the valid rows, and lists the rejected ones with their reasons and in a file', async () => {
    const name = unique('Imp');
    const file = `Name,Web,Mail\n${name} A,https://a.example,a@a.example\n${name} B,,no address\n,https://c.example,\n${name} D,,d@d.example\n`;
    const found = await importFile(admin, file, accounts);
    expect(found).toMatchObject({
      status: 'Complete',
      rowCount: 4,
      importedCount: 2,
      rejectedCount: 2,
      processedCount: 4,
      dryRun: false,
    });
    expect(found.reasons.map(({ code }) => code)).toEqual(['record.invalid', 'record.invalid']);
    expect(await namesOf(admin, `/Import/${found.id}/imported`)).toEqual([
      `${name} A`,
      `${name} D`,
    ]);
    expect(await namesOf(admin, `/Import/${found.id}/updated`)).toEqual([]);
    const errors = listIn(await admin.get(`/Import/${found.id}/errors`));
    expect(errors.total).toBe(2);
    expect(errors.list[0]).toMatchObject({
      type: 'Validation',
      rowIndex: 2,
      exportRowIndex: 1,
      row: [`${name} B`, '', 'no address'],
      validationFailures: [{ entityType: 'Account', field: 'emailAddress' }],
    });
    const exported = await admin.post(`/Import/${found.id}/exportErrors`);
    expect(exported.body).toEqual({ attachmentId: found.rejectedFileId });
    const rejected = await admin.get(`/Attachment/file/${found.rejectedFileId}`);
    expect(rejected.text.split('\r\n')[0]).toBe('Name,Web,Mail,Row,Reason');
    expect(rejected.text.split('\r\n')).toHaveLength(4);
  });

  it('returns counts to clients that wait, and appears in the list of imports', async () => {
    const attachmentId = await upload(admin, `${unique('Imp')},,\n`);
    const { body } = await admin.post('/Import', { ...accounts, attachmentId, fileName: 'a.csv' });
    expect(body).toMatchObject({ countCreated: 1, countUpdated: 0, manualMode: false });
    const { list } = listIn(await admin.get('/Import?maxSize=1'));
    expect(list[0]).toMatchObject({ fileName: 'a.csv', entityType: 'Account', importedCount: 1 });
  });

  it('returns the counts of the actual import in a dry run, and changes nothing', async () => {
    const name = unique('Dry');
    await admin.post('/Account', { name: `${name} Old`, website: 'https://old.example' });
    const file = `n,w,e\n${name} Old,https://new.example,\n${name} New,,\n${name} New,,x@y.example\n${name} Bad,,bad\n`;
    const options = { ...accounts, action: 'createAndUpdate', updateBy: [0] };
    const dry = await importFile(admin, file, { ...options, dryRun: true });
    const counts = { importedCount: 1, updatedCount: 2, rejectedCount: 1, unchangedCount: 0 };
    expect(dry).toMatchObject({ ...counts, dryRun: true, status: 'Complete' });
    expect((await admin.get(`/Attachment/file/${dry.rejectedFileId}`)).text).toContain('Bad');
    const query = `where[0][type]=startsWith&where[0][attribute]=name&where[0][value]=${encodeURIComponent(name)}`;
    expect(listIn(await admin.get(`/Account?${query}`)).total).toBe(1);
    expect(await importFile(admin, file, options)).toMatchObject({ ...counts, dryRun: false });
    expect(listIn(await admin.get(`/Account?${query}`)).total).toBe(2);
  });

  it('is undone as a whole: created records are deleted, and changed values are restored', async () => {
    const name = unique('Undo');
    const old = recordIn(
      await admin.post('/Account', { name: `${name} Old`, website: 'https://old.example' }),
    );
    const file = `n,w,e\n${name} Old,https://new.example,\n${name} New,,\n`;
    const options = { ...accounts, action: 'createAndUpdate', updateBy: [0] };
    const found = await importFile(admin, file, options);
    expect(await namesOf(admin, `/Import/${found.id}/updated`)).toEqual([`${name} Old`]);
    const [created] = listIn(await admin.get(`/Import/${found.id}/imported`)).list;
    const reverted = await admin.post(`/Import/${found.id}/revert`);
    expect([reverted.status, reverted.body]).toEqual([200, true]);
    expect(recordIn(await admin.get(`/Account/${created?.id}`))['deleted']).toBe(true);
    expect(await namesOf(admin, `/Import/${found.id}/imported`)).toEqual([]);
    expect(recordIn(await admin.get(`/Account/${old.id}`))['website']).toBe('https://old.example');
    expect(recordIn(await admin.get(`/Import/${found.id}`))['undoneById']).toEqual(
      expect.any(String),
    );
  });

  it.each([
    ['skip', { importedCount: 1, skippedCount: 2, updatedCount: 0, duplicateCount: 0 }],
    ['update', { importedCount: 1, skippedCount: 0, updatedCount: 2, duplicateCount: 0 }],
    ['create', { importedCount: 3, skippedCount: 0, updatedCount: 0, duplicateCount: 2 }],
  ])('handles duplicates of records and of earlier rows: %s', async (duplicates, counts) => {
    const name = unique('Dup');
    const mail = `${name.replace(' ', '')}@d.example`.toLowerCase();
    await admin.post('/Account', { name: `${name} One` });
    const file = `n,w,e\n${name} One,https://1.example,\n${name} Two,https://2.example,${mail}\n${name} Three,https://3.example,${mail}\n`;
    const dry = await importFile(admin, file, { ...accounts, duplicates, dryRun: true });
    expect(dry).toMatchObject(counts);
    const found = await importFile(admin, file, { ...accounts, duplicates });
    expect(found).toMatchObject(counts);
    const total = listIn(await admin.get(`/Import/${found.id}/duplicates`)).total;
    expect(total).toBe(counts.duplicateCount);
  });

  it('finds duplicates by any address, ignoring case, but only among records that the user may read', async () => {
    const name = unique('Any');
    const mail = `${name.replace(' ', '')}@d.example`.toLowerCase();
    const address = (emailAddress: string, primary: boolean) => ({ emailAddress, primary });
    const emailAddressData = [address(`first.${mail}`, true), address(`second.${mail}`, false)];
    await admin.post('/Account', { name: `${name} Äl`, emailAddressData });
    const file = `n,w,e\n${name.toUpperCase()} äL,,\n${name} B,,SECOND.${mail}\n${name} C,,first.${mail}\n${name} D,,new.${mail}\n`;
    const options = { ...accounts, duplicates: 'skip', dryRun: true };
    const found = await importFile(admin, file, options);
    expect(found).toMatchObject({ importedCount: 1, skippedCount: 3, rejectedCount: 0 });
    const own = await userWith({
      Import: true,
      Account: { create: 'yes', read: 'own', edit: 'own', delete: 'own' },
    });
    expect(await importFile(own, file, options)).toMatchObject({
      importedCount: 4,
      skippedCount: 0,
    });
  });

  it('applies all rows of a record in the order of the file', async () => {
    const name = unique('Round');
    const rows = Array.from(
      { length: 12 },
      (_, row) => `${name} ${row % 3},https://${row}.example,`,
    );
    const file = `n,w,e\n${rows.join('\n')}\n`;
    const options = { ...accounts, action: 'createAndUpdate', updateBy: [0] };
    expect(await importFile(admin, file, options)).toMatchObject({
      importedCount: 3,
      updatedCount: 9,
    });
    const query = `where[0][type]=startsWith&where[0][attribute]=name&where[0][value]=${encodeURIComponent(name)}`;
    const { list } = listIn(
      await admin.get(`/Account?orderBy=name&order=asc&select=name,website&${query}`),
    );
    expect(list.map(({ website }) => website)).toEqual(
      [9, 10, 11].map((n) => `https://${n}.example`),
    );
  });

  it('converts dates, numbers, names, additional addresses and names of linked records', async () => {
    const name = unique('Conv');
    await admin.post('/Account', { name });
    const contact = {
      entityType: 'Contact',
      attributeList: ['name', 'accountName', 'emailAddress', 'emailAddress2', 'phoneNumberMobile'],
      personNameFormat: 'l, f',
    };
    const people = `n;a;e;e2;m\n"Doe, Jane";${name};j@d.example;k@d.example;+36201234567\n"Roe, Max";Unknown Ltd;;;\n`;
    const found = await importFile(admin, people, { ...contact, delimiter: ';' });
    expect(found).toMatchObject({ importedCount: 1, rejectedCount: 1 });
    expect(found.reasons[0]).toMatchObject({ code: 'import.no_link', rows: [2] });
    const [listedOne] = listIn(await admin.get(`/Import/${found.id}/imported`)).list;
    expect(recordIn(await admin.get(`/Contact/${listedOne?.id}`))).toMatchObject({
      firstName: 'Jane',
      lastName: 'Doe',
      accountName: name,
      emailAddressData: [{ emailAddress: 'j@d.example' }, { emailAddress: 'k@d.example' }],
      phoneNumberData: [{ phoneNumber: '+36201234567', type: 'Mobile' }],
    });
    const meeting = {
      entityType: 'Meeting',
      attributeList: ['name', 'dateStart', 'dateEnd', 'assignedUserName'],
      dateFormat: 'DD.MM.YYYY',
      timezone: 'Europe/Budapest',
      defaultValues: { assignedUserId: 'admin' },
    };
    const meetings = `n,s,e,u\n${name},31.01.2030 10:30,31.01.2030 11:00,\n${name},2030-01-31,,\n`;
    const planned = await importFile(admin, meetings, meeting);
    expect(planned).toMatchObject({ importedCount: 1, rejectedCount: 1 });
    const [first] = listIn(await admin.get(`/Import/${planned.id}/imported`)).list;
    expect(first).toMatchObject({ dateStart: '2030-01-31 09:30:00' });
    const opportunity = {
      entityType: 'Opportunity',
      attributeList: ['name', 'amount', 'probability', 'closeDate', 'accountName'],
      decimalMark: ',',
      currency: 'USD',
      defaultValues: { stage: 'Negotiation' },
    };
    const deals = `n,a,p,d,c\n${name},"1.234,50",40,2030-01-31,${name}\n`;
    const sold = await importFile(admin, deals, opportunity);
    expect(sold.reasons).toEqual([]);
    const [deal] = listIn(await admin.get(`/Import/${sold.id}/imported`)).list;
    expect(deal).toMatchObject({ amountCurrency: 'USD', probability: 40, stage: 'Negotiation' });
    expect(Number(deal?.['amount'])).toBe(1234.5);
  });

  it('reads other encodings, and rejects rows with a NUL', async () => {
    const name = unique('Enc').replace(' ', '');
    const bytes = Buffer.from(`n,w,e\n${name} Müller,,\n${name}\0,,\n`, 'latin1');
    const answer = await admin.send({
      method: 'POST',
      target: '/api/v1/Import/file',
      headers: { ...withPassword(annals.admin)('POST', '/Import/file'), ...csv },
      body: bytes,
    });
    const { attachmentId } = answer.body as { readonly attachmentId: string };
    const body = { ...accounts, attachmentId, headerRow: true };
    expect((await admin.post('/Import', body)).status).toBe(400);
    const { id } = recordIn(await admin.post('/Import', { ...body, encoding: 'windows-1252' }));
    expect(await namesOf(admin, `/Import/${id}/imported`)).toEqual([`${name} Müller`]);
    const { reasons } = recordIn(await admin.get(`/Import/${id}`)) as unknown as Found;
    expect(reasons).toMatchObject([{ code: 'import.text', rows: [2] }]);
  });
});

describe('a request to import', () => {
  it('is rejected before anything changes if the file or the mapping is invalid', async () => {
    expect(await refusal(admin, 'a\n', { headerRow: true })).toEqual([400, 'import.file']);
    expect(await refusal(admin, 'a,"b\n', {})).toEqual([400, 'import.file']);
    expect(await refusal(admin, '"a"b,c\n', {})).toEqual([400, 'import.file']);
    expect(await refusal(admin, 'ä'.repeat(1024 * 1024), {})).toEqual([400, 'import.file']);
    expect(await refusal(admin, 'abc', { encoding: 'utf-16le' })).toEqual([400, 'import.file']);
    expect(await refusal(admin, `${','.repeat(500)}\n`, {})).toEqual([400, 'import.file']);
    const body = [400, 'import.body'];
    expect(await refusal(admin, 'a\n', { attributeList: ['nothing'] })).toEqual(body);
    expect(await refusal(admin, 'a\n', { attributeList: ['name', 'name'] })).toEqual(body);
    expect(await refusal(admin, 'a\n', { attributeList: [null] })).toEqual(body);
    expect(await refusal(admin, 'a\n', { action: 'update' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { action: 'update', updateBy: [7] })).toEqual(body);
    expect(await refusal(admin, 'a\n', { delimiter: ';;' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { timezone: 'Nowhere' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { dateFormat: 'yy' })).toEqual(body);
    const repeated = { dateFormat: 'YYYY-MM-DD HH', timeFormat: 'HH:mm' };
    expect(await refusal(admin, 'a\n', repeated)).toEqual(body);
    expect(await refusal(admin, 'a\n', { dateFormat: 'YYYY\0MM-DD' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { delimiter: '\0' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { fileName: 'a\0' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { defaultValues: { description: '\0' } })).toEqual(body);
    const twice = { action: 'update', updateBy: [0, 0] };
    expect(await refusal(admin, 'a\n', twice)).toEqual(body);
    expect(await refusal(admin, 'a\n', { entityType: 'User' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { attachmentId: 'x' })).toEqual(body);
    expect(await refusal(admin, 'a\n', { attachmentId: '\0' })).toEqual([404, 'record.not_found']);
    expect(await refusal(admin, 'a\n', { entityType: 'Nope' })).toEqual([404, 'entity.unknown']);
    const empty = await admin.post('/Import/file', '', csv);
    expect([empty.status, empty.body]).toMatchObject([400, { code: 'import.file' }]);
  });

  it('needs the scope Import and the right to create, and shows users only their own imports', async () => {
    const without = await userWith({});
    expect((await without.post('/Import/file', 'a', csv)).status).toBe(403);
    expect((await without.get('/Import')).status).toBe(403);
    const importer = await userWith({ Import: true });
    const found = await importFile(importer, `n,w,e\n${unique('Own')},,\n`, accounts);
    expect(found).toMatchObject({ importedCount: 1 });
    const other = await userWith({ Import: true, Account: { ...all, create: 'no' } });
    expect((await other.get(`/Import/${found.id}`)).status).toBe(404);
    expect((await other.post(`/Import/${found.id}/revert`)).status).toBe(404);
    expect(await refusal(other, 'a\n', {})).toEqual([403, 'access.denied']);
    expect(listIn(await other.get('/Import')).total).toBe(0);
    expect((await importer.post(`/Import/${found.id}/revert`)).status).toBe(200);
  });
});
