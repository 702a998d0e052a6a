import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { expectRefusal } from '../support/bad-input/send-bad-request.ts';
import { anonymous, withEspo, withPassword, withToken } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import {
  emailIn,
  type MailServer,
  type ReceivedEmail,
  requestIdIn,
  startMailServer,
} from '../support/receivers/start-mail-server.ts';

const HOUR_MS = 3_600_000;
const siteUrl = 'https://annals.example.com/crm';
const credentials = { user: 'annals', password: 'password-of-the-server' };

let server: MailServer;
/** Hides its users, as by default. */
let annals: StartedAnnals;
/** Reveals its users. */
let open: StartedAnnals;
/** Sends no e-mail. */
let silent: StartedAnnals;
let admin: ApiClient;
let openAdmin: ApiClient;
const clients: ApiClient[] = [];

beforeAll(async () => {
  server = await startMailServer(credentials);
  const env = {
    SMTP_URL: `smtp://${credentials.user}:${credentials.password}@127.0.0.1:${server.port}`,
    MAIL_FROM: 'Annals <annals@example.com>',
    PUBLIC_URL: siteUrl,
  };
  [annals, open, silent] = await Promise.all([
    startAnnals({ env }),
    startAnnals({ env: { ...env, PASSWORD_RECOVERY_NO_EXPOSURE: 'false' } }),
    startAnnals(),
  ]);
  admin = clientOf(annals);
  openAdmin = clientOf(open);
});

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all([annals, open, silent].map((one) => one?.stop()));
  await server?.close();
});

function clientOf(one: StartedAnnals): ApiClient {
  const client = createApiClient(one.url, withPassword(one.admin));
  clients.push(client);
  return client;
}

let users = 0;

async function createUser(client: ApiClient, values: Readonly<Record<string, unknown>> = {}) {
  users += 1;
  const userName = `user${users}`;
  const emailAddress = `${userName}@example.com`;
  const body = { userName, lastName: 'Doe', password: 'first password', emailAddress, ...values };
  const { id } = recordIn(await client.post('/User', body));
  return { id, userName, emailAddress };
}

const request = (client: ApiClient, body: object) =>
  client.as(anonymous).post('/User/passwordChangeRequest', body);
const change = (client: ApiClient, requestId: string, password = 'second password') =>
  client.as(anonymous).post('/User/changePasswordByRequest', { requestId, password });
const signInStatus = async (client: ApiClient, userName: string, password: string) =>
  (await client.as(withEspo({ userName, secret: password })).get('/App/user')).status;

function expectCode(answer: ApiAnswer, status: number, code: string): void {
  expectRefusal(answer, status);
  expect(answer.body).toMatchObject({ code });
}

const emailTo = (address: string, nth?: number): Promise<ReceivedEmail> =>
  emailIn(server, address, nth);

describe('a changed e-mail address', () => {
  it('gets no link for a new password for 24 hours if the user changed it, and the previous one gets a notice', async () => {
    const role = recordIn(
      await openAdmin.post('/Role', { name: 'Self', data: { User: { read: 'own', edit: 'own' } } }),
    );
    const { id, userName, emailAddress } = await createUser(openAdmin, { rolesIds: [role.id] });
    const asUser = openAdmin.as(withPassword({ userName, password: 'first password' }));
    const other = `other-${emailAddress}`;
    // The second change follows before the notice of the first is sent.
    for (const address of [`typo-${emailAddress}`, other]) {
      const changed = await asUser.put(`/User/${id}`, { lastName: 'Evil', emailAddress: address });
      expect(changed.status, changed.text).toBe(200);
    }
    const notice = await emailTo(emailAddress);
    expect(notice.raw).toContain('Subject: Your e-mail address was changed');
    expect(notice.raw).toContain(`the user ${userName} at ${siteUrl}`);
    expect(notice.raw).not.toMatch(/Evil|other-/);
    const { list } = listIn(await openAdmin.get('/System/mail'));
    expect(list.find(({ userId }) => userId === id)).toMatchObject({ kind: 'addressChanged' });

    const body = { userName, emailAddress: other };
    expectCode(await request(openAdmin, body), 403, 'password.no_recovery');
    await openAdmin.post('/UserSecurity/password/recovery', { id });
    const byAdministrator = await emailTo(other);
    expect((await change(openAdmin, requestIdIn(byAdministrator))).status).toBe(200);
    expectCode(await request(openAdmin, body), 403, 'password.no_recovery');
    await open.clock.advance(24 * HOUR_MS);
    expect((await request(openAdmin, body)).status).toBe(200);
    expect((await emailTo(other, 2)).raw).toContain('Subject: Reset your password');
    expect(server.received(emailAddress).length).toBe(1);
  });

  it('gets links immediately if an administrator changed it, and the previous one gets no notice', async () => {
    const { id, userName, emailAddress } = await createUser(openAdmin);
    const body = { userName, emailAddress: `other-${emailAddress}` };
    await openAdmin.put(`/User/${id}`, { emailAddress: body.emailAddress });
    expect((await request(openAdmin, body)).status).toBe(200);
    expect((await emailTo(body.emailAddress)).raw).toContain('Subject: Reset your password');
    expect(server.received(emailAddress)).toEqual([]);
  });
});

describe('a forgotten password', () => {
  it('is replaced once with the link in an e-mail, which ends the sessions of the user', async () => {
    const { id, userName, emailAddress } = await createUser(admin);
    const login = await admin.as(withEspo({ userName, secret: 'first password' })).get('/App/user');
    const { token } = login.body as { readonly token: string };
    const asToken = admin.as(withToken({ userName, secret: token }));

    const requested = await request(admin, { userName, emailAddress: emailAddress.toUpperCase() });
    expect([requested.status, requested.body]).toEqual([200, true]);
    const email = await emailTo(emailAddress);
    expect(email.raw).toContain('Subject: Reset your password');
    expect(email.raw).toContain(`the user name ${userName} at ${siteUrl}`);
    const requestId = requestIdIn(email);

    expectCode(await change(admin, requestId, '123'), 403, 'password.weak');
    const changed = await change(admin, requestId);
    expect([changed.status, changed.body]).toEqual([200, { url: null }]);
    expect(await signInStatus(admin, userName, 'second password')).toBe(200);
    expect((await asToken.get('/App/user')).status).toBe(401);
    expectCode(await change(admin, requestId), 404, 'password.request_unknown');

    const { list } = listIn(await admin.get('/System/mail'));
    const entry = list.find(({ userId }) => userId === id);
    expect(entry).toMatchObject({ kind: 'passwordReset', status: 'sent', userName, attempts: 1 });
    expect(JSON.stringify(entry)).not.toContain(emailAddress);
  });

  it('is not replaced with a link that was sent to an earlier address', async () => {
    const { id, userName, emailAddress } = await createUser(admin);
    expect((await request(admin, { userName, emailAddress })).status).toBe(200);
    const requestId = requestIdIn(await emailTo(emailAddress));
    const corrected = await admin.put(`/User/${id}`, { emailAddress: 'right@example.com' });
    expect(corrected.status, corrected.text).toBe(200);
    expectCode(await change(admin, requestId), 404, 'password.request_unknown');
    expect(await signInStatus(admin, userName, 'first password')).toBe(200);
  });

  it('returns true for unknown users, in the same time, and sends nothing', async () => {
    const { userName, emailAddress } = await createUser(admin, { isActive: false });
    for (const body of [
      { userName: 'nobody', emailAddress },
      { userName, emailAddress: 'other@example.com' },
      { userName, emailAddress },
    ]) {
      const begin = performance.now();
      const answer = await request(admin, body);
      expect([answer.status, answer.body]).toEqual([200, true]);
      expect(performance.now() - begin).toBeGreaterThan(990);
    }
    expect(server.received(emailAddress)).toEqual([]);
  });

  it('sends one link while it is valid, and another one after it has expired', async () => {
    const { userName, emailAddress } = await createUser(admin);
    await request(admin, { userName, emailAddress });
    const first = requestIdIn(await emailTo(emailAddress));
    await request(admin, { userName, emailAddress });
    await annals.clock.advance(3 * HOUR_MS);
    expectCode(await change(admin, first), 404, 'password.request_unknown');
    expect(server.received(emailAddress).length).toBe(1);
    await request(admin, { userName, emailAddress });
    const second = requestIdIn(await emailTo(emailAddress, 2));
    expect((await change(admin, second)).status).toBe(200);
  });

  it('names the reason if the installation reveals its users', async () => {
    const { userName, emailAddress } = await createUser(openAdmin);
    const other = await createUser(openAdmin, { isActive: false });
    expectCode(
      await request(openAdmin, { userName, emailAddress: 'other@example.com' }),
      404,
      'user.not_found',
    );
    expectCode(await request(openAdmin, other), 403, 'password.no_recovery');
    const url = `${siteUrl}/records/Lead`;
    for (const foreign of ['https://evil.example', `${siteUrl}x`, 'javascript:alert(1)', 7]) {
      const answer = await request(openAdmin, { userName, emailAddress, url: foreign });
      expectCode(answer, 403, 'password.url');
    }
    expect((await request(openAdmin, { userName, emailAddress, url })).body).toBe(true);
    const again = await request(openAdmin, { userName, emailAddress });
    expectCode(again, 403, 'mail.already_sent');
    expect(again.headers['x-status-reason']).toBe('Already-Sent');
    const requestId = requestIdIn(await emailTo(emailAddress));
    expect((await change(openAdmin, requestId)).body).toEqual({ url });
  });

  it('is rate limited per address', async () => {
    const ids = Array.from({ length: 12 }, () => 'unknown');
    const client = clientOf(silent);
    const answers = await Promise.all(ids.map((requestId) => change(client, requestId)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]?.body).toMatchObject({ code: 'rate.limited' });
    expect(limited[0]?.headers['retry-after']).toBe('60');
  });

  it.each([
    [{}, 'body.value_missing'],
    [{ userName: 'ann' }, 'body.value_missing'],
    [{ userName: 'ann', emailAddress: ['ann@example.com'] }, 'body.value_missing'],
    [[], 'body.not_an_object'],
  ])('rejects the request %j', async (body, code) => {
    expectCode(await request(admin, body), 400, code);
  });
});

describe('an administrator', () => {
  it('sends a link that is valid for two days and replaces an earlier one', async () => {
    const { id, userName, emailAddress } = await createUser(openAdmin);
    expect((await openAdmin.post('/UserSecurity/password/recovery', { id })).body).toBe(true);
    const first = requestIdIn(await emailTo(emailAddress));
    expect((await openAdmin.post('/UserSecurity/password/recovery', { id })).body).toBe(true);
    const second = requestIdIn(await emailTo(emailAddress, 2));
    await open.clock.advance(47 * HOUR_MS);
    expectCode(await change(openAdmin, first), 404, 'password.request_unknown');
    expect((await change(openAdmin, second)).status).toBe(200);
    expect(await signInStatus(openAdmin, userName, 'second password')).toBe(200);
  });

  it('sends a generated password', async () => {
    const { id, userName, emailAddress } = await createUser(openAdmin);
    expect((await openAdmin.post('/UserSecurity/password/generate', { id })).body).toBe(true);
    const { raw } = await emailTo(emailAddress);
    const [, password = ''] = /Password: (\S+)/.exec(raw) ?? [];
    expect(await signInStatus(openAdmin, userName, password)).toBe(200);
    expect(await signInStatus(openAdmin, userName, 'first password')).toBe(401);
  });

  it('invites a new user with sendAccessInfo, in the language of the user', async () => {
    const { emailAddress, userName } = await createUser(openAdmin, {
      password: undefined,
      sendAccessInfo: true,
      lastName: 'Doe\r\nBcc: eve@example.com',
    });
    const email = await emailTo(emailAddress);
    expect(email.raw).toContain('Subject: Set your password');
    expect(email.raw).not.toMatch(/^Bcc/m);
    expect((await change(openAdmin, requestIdIn(email))).status).toBe(200);
    expect(await signInStatus(openAdmin, userName, 'second password')).toBe(200);
  });

  it('cannot do this for users without a password or an address, and others cannot do it', async () => {
    const path = '/UserSecurity/password/recovery';
    const homeless = await createUser(openAdmin, { emailAddress: null });
    expectCode(await openAdmin.post(path, { id: homeless.id }), 403, 'mail.no_address');
    expectCode(await openAdmin.post(path, { id: 'api-key' }), 403, 'password.no_recovery');
    expectCode(await openAdmin.post(path, { id: 'missing' }), 404, 'record.not_found');
    const asUser = openAdmin.as(withPassword(open.user));
    expectCode(await asUser.post(path, { id: homeless.id }), 403, 'access.admin_only');
    expectCode(await asUser.post('/System/mail/test'), 403, 'access.admin_only');
    expectCode(await asUser.get('/System/mail'), 403, 'access.admin_only');
  });

  it('sends a test e-mail and sees why it failed, until it is sent', async () => {
    const { id } = recordIn(
      await openAdmin.get('/App/user').then(({ body, ...answer }) => ({
        ...answer,
        body: (body as { readonly user: object }).user,
      })),
    );
    await openAdmin.put(`/User/${id}`, { emailAddress: 'later@example.com' });
    const { id: emailId } = recordIn(await openAdmin.post('/System/mail/test'));
    const find = async () => {
      const { list } = listIn(await openAdmin.get('/System/mail'));
      return list.find((one) => one.id === emailId);
    };
    await eventually(async () =>
      expect(await find()).toMatchObject({
        kind: 'test',
        status: 'queued',
        attempts: 1,
        lastError: expect.stringContaining('try again later'),
      }),
    );
    await open.clock.advance(60_000);
    await eventually(async () =>
      expect(await find()).toMatchObject({ status: 'sent', attempts: 2, nextAttemptAt: null }),
    );
    const [first, second] = server.received('later@example.com');
    const messageId = `Message-ID: <${emailId}@example.com>`;
    for (const email of [first, second]) expect(email?.raw).toContain(messageId);
  });
});

describe('without a mail server', () => {
  it('returns an error for every request that would send an e-mail, and queues nothing', async () => {
    const client = clientOf(silent);
    const { id, userName, emailAddress } = await createUser(client, { sendAccessInfo: true });
    expectCode(await request(client, { userName, emailAddress }), 403, 'mail.off');
    for (const path of ['/UserSecurity/password/recovery', '/UserSecurity/password/generate']) {
      expectCode(await client.post(path, { id }), 403, 'mail.off');
    }
    expectCode(await client.post('/System/mail/test'), 403, 'mail.off');
    const { body } = await client.get('/System/mail');
    expect(body).toEqual({ isOn: false, queued: 0, sent: 0, failed: 0, list: [] });
    const settings = await client.as(anonymous).get('/Settings');
    expect(settings.body).toMatchObject({ passwordRecoveryDisabled: true });
    const others = await admin.as(anonymous).get('/Settings');
    expect(others.body).toMatchObject({ passwordRecoveryDisabled: false });
  });
});

it('does not make e-mails accessible as records', async () => {
  const { list } = listIn(await admin.get('/System/mail'));
  for (const path of ['/QueuedEmail', `/QueuedEmail/${list[0]?.id}`]) {
    expect((await admin.get(path)).status).toBe(404);
  }
  const metadata = await admin.get('/Metadata');
  expect(metadata.text).not.toContain('QueuedEmail');
});
