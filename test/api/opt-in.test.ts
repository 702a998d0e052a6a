import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { expectRefusal } from '../support/bad-input/send-bad-request.ts';
import { anonymous, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import {
  emailIn,
  type MailServer,
  type ReceivedEmail,
  startMailServer,
} from '../support/receivers/start-mail-server.ts';

const HOUR_MS = 3_600_000;

let server: MailServer;
let annals: StartedAnnals;
/** Sends no e-mail. */
let silent: StartedAnnals;
let admin: ApiClient;
const clients: ApiClient[] = [];
let list: string;
let forms = 0;

beforeAll(async () => {
  server = await startMailServer();
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'Annals <annals@example.com>',
    PUBLIC_URL: 'https://annals.example.com/crm',
  };
  [annals, silent] = await Promise.all([startAnnals({ env }), startAnnals()]);
  admin = clientOf(annals);
  list = recordIn(await admin.post('/TargetList', { name: 'Readers' })).id;
});

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all([annals, silent].map((one) => one?.stop()));
  await server?.close();
});

function clientOf(one: StartedAnnals): ApiClient {
  const client = createApiClient(one.url, withPassword(one.admin));
  clients.push(client);
  return client;
}

async function aCapture(values: object = {}, client = admin) {
  forms += 1;
  const usual = { name: `Form ${forms}`, optInConfirmation: true, targetListId: list };
  return recordIn(await client.post('/LeadCapture', { ...usual, ...values }));
}

const submit = (
  { apiKey }: Readonly<Record<string, unknown>>,
  values: object,
  headers: Readonly<Record<string, string>> = {},
) =>
  admin.as(anonymous).send({
    method: 'POST',
    target: `/api/v1/LeadCapture/${String(apiKey)}`,
    body: JSON.stringify(values),
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const visit = (linkId: string, headers: Readonly<Record<string, string>> = {}) =>
  admin.as(anonymous).send({
    method: 'GET',
    target: `/?entryPoint=confirmOptIn&id=${linkId}`,
    headers: { Accept: 'text/html', ...headers },
  });

/** Returns the id in the link of an e-mail. */
function linkIdIn({ raw }: ReceivedEmail): string {
  const [, id] =
    /https:\/\/annals\.example\.com\/crm\/\?entryPoint=confirmOptIn&id=([0-9a-f]{32})/.exec(raw) ??
    [];
  if (id === undefined) throw new Error(`the e-mail has no link: ${raw}`);
  return id;
}

async function leadsOf(emailAddress: string) {
  const where = encodeURIComponent(
    JSON.stringify([{ type: 'equals', attribute: 'emailAddress', value: emailAddress }]),
  );
  return listIn(await admin.get(`/Lead?whereGroup=${where}`)).list;
}

async function leadOf(emailAddress: string) {
  const [found, ...others] = await leadsOf(emailAddress);
  expect(others).toEqual([]);
  return recordIn(await admin.get(`/Lead/${String(found?.id)}`));
}

function expectPage({ status, headers, text }: ApiAnswer, expected: number, title: string): void {
  expect([status, headers['content-type']]).toEqual([expected, 'text/html; charset=utf-8']);
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text).not.toContain('<script');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['cache-control']).toBe('no-store');
}

describe('an opt-in', () => {
  it('creates one subscribed lead when the link is opened, also if it is opened repeatedly', async () => {
    const capture = await aCapture({ optInConfirmationSuccessMessage: 'Hello <b>\nSee you soon' });
    const emailAddress = 'once@example.com';
    const sent = await submit(capture, { lastName: 'Doe', emailAddress });
    expect([sent.status, sent.body]).toEqual([200, true]);
    const email = await emailIn(server, emailAddress);
    expect(email.raw).toContain('Subject: Confirm your e-mail address');
    expect(email.raw).toContain('valid for 48 hours');
    expect(email.raw).not.toContain('Doe');
    expect(await leadsOf(emailAddress)).toEqual([]);

    const linkId = linkIdIn(email);
    const head = { method: 'HEAD', target: `/?entryPoint=confirmOptIn&id=${linkId}` } as const;
    await admin.as(anonymous).send(head);
    expect(await leadsOf(emailAddress)).toEqual([]);
    const visits = await Promise.all([1, 2, 3].map(() => visit(linkId)));
    for (const page of visits) expectPage(page, 200, 'Thank you');
    expect(visits[0]?.text).toContain('<p>Hello &lt;b&gt;</p><p>See you soon</p>');
    const { id, ...lead } = await leadOf(emailAddress);
    expect(lead).toMatchObject({
      lastName: 'Doe',
      source: 'Web Site',
      targetListsIds: [list],
      targetListsColumns: { [list]: { optedOut: false } },
      createdById: 'system',
    });

    await admin.put(`/Lead/${id}`, { targetListsColumns: { [list]: { optedOut: true } } });
    await annals.clock.advance(49 * HOUR_MS);
    expectPage(await visit(linkId), 200, 'Thank you');
    expect(await leadOf(emailAddress)).toMatchObject({
      targetListsColumns: { [list]: { optedOut: true } },
    });
  });

  it('creates one lead when two links for the same address are opened at the same time', async () => {
    for (const name of ['two', 'pair']) {
      const linkIds: string[] = [];
      for (const spelled of [name, name.toUpperCase()]) {
        const emailAddress = `${spelled}@example.com`;
        await submit(await aCapture(), { lastName: 'Doe', emailAddress });
        linkIds.push(linkIdIn(await emailIn(server, emailAddress)));
      }
      const visits = await Promise.all(linkIds.map((linkId) => visit(linkId)));
      for (const page of visits) expectPage(page, 200, 'Thank you');
      await leadOf(`${name}@example.com`);
    }
  });

  it('creates one lead when a link is opened twice at the same time, also without a search for duplicates', async () => {
    const capture = await aCapture({ duplicateCheck: false });
    const emailAddress = 'double@example.com';
    await submit(capture, { lastName: 'Doe', emailAddress });
    const linkId = linkIdIn(await emailIn(server, emailAddress));
    const visits = await Promise.all([visit(linkId), visit(linkId)]);
    for (const page of visits) expectPage(page, 200, 'Thank you');
    await leadOf(emailAddress);
  });

  it('ends with an expired page after its lifetime, and creates nothing', async () => {
    const capture = await aCapture({ optInConfirmationLifetime: 1 });
    const emailAddress = 'late@example.com';
    await submit(capture, { lastName: 'Doe', emailAddress }, { 'Accept-Language': 'de-AT,en' });
    const email = await emailIn(server, emailAddress);
    expect(email.raw).toContain('Der Link gilt 1 Stunde.');
    await annals.clock.advance(HOUR_MS);
    const page = await visit(linkIdIn(email), { 'Accept-Language': 'de' });
    expectPage(page, 200, 'Der Link ist abgelaufen');
    expect(page.text).toContain('<html lang="de">');
    expect(await leadsOf(emailAddress)).toEqual([]);
  });

  it('removes the values of forms that were not confirmed, and keeps the outcome of the links', async () => {
    const capture = await aCapture({ optInConfirmationLifetime: 1 });
    const linkIds: string[] = [];
    for (const emailAddress of ['yes@example.com', 'no@example.com']) {
      await submit(capture, { lastName: 'Doe', emailAddress });
      linkIds.push(linkIdIn(await emailIn(server, emailAddress)));
    }
    const [confirmed = '', ignored = ''] = linkIds;
    expectPage(await visit(confirmed), 200, 'Thank you');
    const optIns = `select confirmed_at is not null as "isConfirmed", content, expires_at as "expiresAt"
      from annals.lead_opt_in where capture_id = '${capture.id}' order by content nulls first`;
    const stored = () =>
      withClient(annals.postgres.url, async (client) => (await client.query(optIns)).rows);
    const done = { isConfirmed: true, content: null, expiresAt: null };
    const waiting = {
      isConfirmed: false,
      content: expect.any(String),
      expiresAt: expect.any(Date),
    };
    await eventually(async () => expect(await stored()).toEqual([done, waiting]));
    await annals.clock.advance(HOUR_MS);
    const removed = { ...done, isConfirmed: false };
    await eventually(
      async () => expect(await stored()).toEqual(expect.arrayContaining([done, removed])),
      { timeoutMs: 20_000 },
    );
    expectPage(await visit(ignored), 200, 'The link has expired');
    expectPage(await visit(confirmed), 200, 'Thank you');
  });

  it('responds to unknown links with a page', async () => {
    expectPage(await visit(''), 400, 'The link is not valid');
    for (const id of ['0'.repeat(32), 'x', '%00', `${'a'.repeat(5_000)}`]) {
      expectPage(await visit(id), 404, 'The link is not valid');
    }
    const deleted = await aCapture();
    const emailAddress = 'deleted@example.com';
    await submit(deleted, { lastName: 'Doe', emailAddress });
    const linkId = linkIdIn(await emailIn(server, emailAddress));
    await admin.delete(`/LeadCapture/${deleted.id}`);
    expectPage(await visit(linkId), 404, 'The link is not valid');
  });

  it('creates the lead before the confirmation if configured, and subscribes it then', async () => {
    const capture = await aCapture({
      createLeadBeforeOptInConfirmation: true,
      duplicateCheck: false,
    });
    const emailAddress = 'before@example.com';
    await submit(capture, { lastName: 'Doe', emailAddress });
    const linkId = linkIdIn(await emailIn(server, emailAddress));
    expect(await leadOf(emailAddress)).toMatchObject({ targetListsIds: [] });
    expectPage(await visit(linkId), 200, 'Thank you');
    expect(await leadOf(emailAddress)).toMatchObject({ targetListsIds: [list] });
  });

  it('subscribes a person again who has opted out, only after the confirmation', async () => {
    const emailAddress = 'again@example.com';
    const { id } = recordIn(
      await admin.post('/Contact', {
        lastName: 'Doe',
        emailAddress,
        targetListsIds: [list],
        targetListsColumns: { [list]: { optedOut: true } },
      }),
    );
    const columns = async () => (await admin.get(`/Contact/${id}`)).body;
    const capture = await aCapture({ skipOptInConfirmationIfSubscribed: true });
    await submit(capture, { lastName: 'Doe', emailAddress });
    const linkId = linkIdIn(await emailIn(server, emailAddress));
    expect(await columns()).toMatchObject({ targetListsColumns: { [list]: { optedOut: true } } });
    expectPage(await visit(linkId), 200, 'Thank you');
    expect(await columns()).toMatchObject({ targetListsColumns: { [list]: { optedOut: false } } });
    expect(await leadsOf(emailAddress)).toEqual([]);

    const again = await submit(capture, { lastName: 'Doe', emailAddress });
    expect([again.status, again.body]).toEqual([200, true]);
    // The queue is in order, so a second e-mail would have been sent before this one.
    await submit(capture, { lastName: 'Doe', emailAddress: 'after@example.com' });
    await emailIn(server, 'after@example.com');
    expect(server.received(emailAddress).length).toBe(1);
  });

  it('uses the e-mail template of the capture, with its variables', async () => {
    const template = recordIn(
      await admin.post('/EmailTemplate', {
        name: 'Opt-in',
        subject: 'Welcome {optInDate}',
        body: '<p>Hi {unknown}</p><a href="{optInUrl}">Join</a>',
      }),
    );
    const capture = await aCapture({ optInConfirmationEmailTemplateId: template.id });
    await submit(capture, { lastName: 'Doe', emailAddress: 'html@example.com' });
    const { raw } = await emailIn(server, 'html@example.com');
    expect(raw).toMatch(/^Subject: Welcome \d{4}-\d\d-\d\d\r?$/m);
    expect(raw).toContain('Content-Type: text/html');
    expect(raw).toContain('Your e-mail address was entered in a form');
    expect(raw.replaceAll(/=\r?\n/g, '')).toContain('<p>Hi {unknown}</p>');

    await admin.put(`/EmailTemplate/${template.id}`, { isHtml: false, body: 'Just text' });
    await submit(capture, { lastName: 'Doe', emailAddress: 'text@example.com' });
    const plain = await emailIn(server, 'text@example.com');
    expect(plain.raw).toContain('Just text');
    expectPage(await visit(linkIdIn(plain)), 200, 'Thank you');
  });

  it('sends at most three e-mails a day to one address, and rejects invalid forms', async () => {
    const capture = await aCapture();
    const values = { lastName: 'Doe', emailAddress: 'full@example.com' };
    for (const _ of [1, 2, 3]) expect((await submit(capture, values)).status).toBe(200);
    const limited = await submit(capture, { ...values, emailAddress: 'FULL@example.com' });
    expectRefusal(limited, 429);
    expect(limited.body).toMatchObject({ code: 'mail.limited' });
    expect(limited.headers['retry-after']).toBe('600');
    for (const invalid of [{ lastName: 'Doe' }, { lastName: 'Doe', emailAddress: 'x' }]) {
      const refused = await submit(capture, invalid);
      expect([refused.status, refused.body]).toMatchObject([400, { code: 'record.invalid' }]);
    }
    await annals.clock.advance(24 * HOUR_MS);
    expect((await submit(capture, values)).status).toBe(200);
  });

  it('keeps the address, the values and the link out of everything that is stored in clear text', async () => {
    const capture = await aCapture();
    await submit(capture, { lastName: 'Sealed', emailAddress: 'sealed@example.com' });
    linkIdIn(await emailIn(server, 'sealed@example.com'));
    const queue = await admin.get('/System/mail');
    expect(listIn(queue).list[0]).toMatchObject({ kind: 'optIn', userId: null, userName: null });
    expect(queue.text).not.toContain('sealed@example.com');
    for (const path of ['/LeadOptIn', '/Metadata']) {
      expect((await admin.get(path)).text).not.toContain('captureId');
    }
  });
});

describe('without a mail server', () => {
  it('a capture with an opt-in cannot be created or activated, but can be stored inactive', async () => {
    const client = clientOf(silent);
    const form = { name: 'Form', optInConfirmation: true };
    const refused = await client.post('/LeadCapture', form);
    expectRefusal(refused, 400);
    expect(refused.body).toMatchObject({ code: 'record.invalid' });
    expect(refused.text).toContain('set SMTP_URL, MAIL_FROM and PUBLIC_URL');
    const { id } = recordIn(await client.post('/LeadCapture', { ...form, isActive: false }));
    expect((await client.put(`/LeadCapture/${id}`, { name: 'Other' })).status).toBe(200);
    expect((await client.put(`/LeadCapture/${id}`, { isActive: true })).status).toBe(400);
    const off = { isActive: true, optInConfirmation: false };
    expect((await client.put(`/LeadCapture/${id}`, off)).status).toBe(200);
    expect((await client.put(`/LeadCapture/${id}`, { optInConfirmation: true })).status).toBe(400);
  });

  it('a capture with an opt-in must ask for the e-mail address', async () => {
    const refused = await admin.post('/LeadCapture', {
      name: 'Form',
      optInConfirmation: true,
      fieldList: ['lastName'],
    });
    expect([refused.status, refused.text]).toMatchObject([
      400,
      expect.stringContaining('fieldList must contain emailAddress'),
    ]);
  });
});
