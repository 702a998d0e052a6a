import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiAnswer, type ApiClient, createApiClient } from '../support/api-client.ts';
import { expectRefusal } from '../support/bad-input/send-bad-request.ts';
import {
  anonymous,
  withApiKey,
  withEspo,
  withPassword,
  withToken,
} from '../support/credentials.ts';

let annals: StartedAnnals;
let client: ApiClient;

/** Headers that a browser sends with a request from the console's own page. */
const own = { 'Sec-Fetch-Site': 'same-origin' };
const path = '/App/session';

beforeAll(async () => {
  annals = await startAnnals();
  client = createApiClient(annals.url, anonymous);
});

afterAll(async () => {
  client?.close();
  await annals?.stop();
});

const user = () => annals.user;
const asPassword = () =>
  client.as(withEspo({ userName: user().userName, secret: user().password }));

function cookieOf(answer: ApiAnswer): string {
  return String(answer.headers['set-cookie']?.[0]);
}

function expectCode(answer: ApiAnswer, status: number, code: string): void {
  expectRefusal(answer, status);
  expect(answer.body).toMatchObject({ code });
}

/** The header with which a browser returns the cookie. */
async function begin(): Promise<{ readonly Cookie: string }> {
  const answer = await asPassword().post(path, undefined, own);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return { Cookie: cookieOf(answer).split(';')[0] ?? '' };
}

describe('a browser session', () => {
  it('uses a cookie that scripts cannot read and returns no credential', async () => {
    const answer = await asPassword().post(path, undefined, own);
    expect(cookieOf(answer)).toMatch(
      /^annals-session=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const token = /=([0-9a-f]{32})/.exec(cookieOf(answer))?.[1] ?? '';
    expect(answer.body).toMatchObject({ user: { userName: user().userName }, token: null });
    expect(answer.text).not.toContain(token);
    const known = await client.get(path, { ...own, Cookie: `annals-session=${token}` });
    expect(known.body).toEqual(answer.body);
    const later = await client.get('/App/user', { ...own, Cookie: `annals-session=${token}` });
    expect(later.body).toMatchObject({ user: { userName: user().userName }, token: null });
    expect(later.text).not.toContain(token);
  });

  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ])('does not authenticate a request with %j', async (headers) => {
    const session = await begin();
    const foreign = { ...session, ...headers };
    expectCode(await client.get('/Account', foreign), 401, 'credentials.missing');
    const written = await client.post('/Account', { name: 'Forged' }, foreign);
    expectCode(written, 401, 'credentials.missing');
    expectCode(await client.delete(path, foreign), 403, 'session.origin');
    expectCode(await asPassword().post(path, undefined, foreign), 403, 'session.origin');
    expect((await client.get('/Account', { ...own, ...session })).status).toBe(200);
  });

  it('accepts writes only from its own page according to Sec-Fetch-Site or Origin', async () => {
    const session = await begin();
    const named = { Origin: annals.url, ...session };
    expect((await client.post('/Account', { name: 'Own page' }, named)).status).toBe(200);
    // Over plain HTTP to a host other than localhost browsers send fewer headers.
    expect((await client.get('/Account', session)).status).toBe(200);
    const silent = await client.post('/Account', { name: 'Who?' }, session);
    expectCode(silent, 401, 'credentials.missing');
  });

  it('expires together with its token at every instance', async () => {
    const [first, second, third] = [await begin(), await begin(), await begin()];
    const isAlive = async (session: object) =>
      (await client.get('/Account', { ...own, ...session })).status === 200;
    const ended = await client.delete(path, { ...own, ...first });
    expect([ended.status, ended.body]).toEqual([200, true]);
    expect(cookieOf(ended)).toContain('annals-session=; Max-Age=0; Path=/;');
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, true]);

    const token = second.Cookie.replace('annals-session=', '');
    const destroyed = await asPassword().post('/App/destroyAuthToken', { token });
    expect(destroyed.body).toBe(true);
    expect([await isAlive(second), await isAlive(third)]).toEqual([false, true]);

    const fourth = await begin();
    await client.delete(`${path}?everywhere=true`, { ...own, ...third });
    expect([await isAlive(third), await isAlive(fourth)]).toEqual([false, false]);
  });

  it('does not authenticate before it begins or after it ends', async () => {
    for (const Cookie of ['', `annals-session=${'f'.repeat(32)}`, 'annals-session=x']) {
      const answer = await client.get(path, { ...own, Cookie });
      expect([answer.status, answer.text]).toEqual([200, 'null']);
    }
  });

  it('replaces the previous session of the browser', async () => {
    const before = await begin();
    await asPassword().post(path, undefined, { ...own, ...before });
    const answer = await client.get('/Account', { ...own, ...before });
    expectCode(answer, 401, 'credentials.missing');
  });

  it('requires a password to begin', async () => {
    const key = client.as(withApiKey(annals.apiKey));
    expectCode(await key.post(path, undefined, own), 400, 'session.password_missing');
    const session = await begin();
    const again = await client.post(path, undefined, { ...own, ...session });
    expectCode(again, 400, 'session.password_missing');
  });

  it('does not affect clients that send credentials themselves', async () => {
    const session = await begin();
    const key = client.as(withApiKey(annals.apiKey));
    const byKey = await key.get('/App/user', { ...own, ...session });
    expect(byKey.body).toMatchObject({ user: { userName: annals.apiKey.userName } });
    expect(byKey.headers['set-cookie']).toBeUndefined();
    const wrong = client.as(withToken({ userName: user().userName, secret: 'f'.repeat(32) }));
    const refused = await wrong.get('/App/user', { ...own, ...session });
    expectCode(refused, 401, 'credentials.invalid');
  });
});

describe("a user's own sessions", () => {
  const sessions = '/UserSecurity/sessions';
  const password = 'the first password';
  let people = 0;

  interface Listed {
    readonly id: string;
    readonly userAgent: string | null;
    readonly isCurrent: boolean;
  }

  /** Creates a user without roles, and returns how to begin a session and what the user sees. */
  async function makePerson() {
    people += 1;
    const userName = `person${people}`;
    const admin = client.as(withPassword(annals.admin));
    const made = await admin.post('/User', { userName, lastName: 'P', type: 'regular', password });
    expect(made.status).toBe(200);
    const login = async (secret = password) => {
      const answer = await client
        .as(withEspo({ userName, secret }))
        .post(path, undefined, { ...own, 'User-Agent': 'Test/1' });
      return { ...own, Cookie: cookieOf(answer).split(';')[0] ?? '' };
    };
    const list = async (headers: Readonly<Record<string, string>>) =>
      ((await client.get(sessions, headers)).body as { list: readonly Listed[] }).list;
    return { login, list };
  }

  it('are listed with the client that began them and can be ended individually', async () => {
    const { login, list } = await makePerson();
    const [here, there] = [await login(), await login()];
    const listed = await list(here);
    expect(listed.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true]);
    expect(listed.map(({ userAgent }) => userAgent)).toEqual(['Test/1', 'Test/1']);
    const other = listed.find(({ isCurrent }) => !isCurrent)?.id;
    expect((await client.delete(`${sessions}/${other}`, here)).body).toBe(true);
    expect(await list(here)).toHaveLength(1);
    expectCode(await client.get(sessions, there), 401, 'credentials.missing');
    expectCode(await client.delete(`${sessions}/${other}`, here), 404, 'record.not_found');
  });

  it('cannot be ended by other users', async () => {
    const [one, other] = [await makePerson(), await makePerson()];
    const [mine, theirs] = [await one.login(), await other.login()];
    const [session] = await other.list(theirs);
    expectCode(await client.delete(`${sessions}/${session?.id}`, mine), 404, 'record.not_found');
    expect(await other.list(theirs)).toHaveLength(1);
  });

  it('continue where the password is changed and end elsewhere', async () => {
    const { login, list } = await makePerson();
    const [here, there] = [await login(), await login()];
    const change = { currentPassword: password, password: 'the second password' };
    const answer = await client.put('/UserSecurity/password', change, here);
    expect([answer.status, answer.text]).toEqual([200, 'true']);
    const renewed = { ...own, Cookie: cookieOf(answer).split(';')[0] ?? '' };
    expect(await list(renewed)).toMatchObject([{ isCurrent: true }]);
    for (const ended of [here, there]) {
      expectCode(await client.get(sessions, ended), 401, 'credentials.missing');
    }
  });
});

describe('recovery codes', () => {
  const codesPath = '/UserSecurity/totp/recoveryCodes';

  it('each replace a code only once, even if two requests use the same one simultaneously', async () => {
    const password = 'the only password';
    const userName = 'forgetful';
    const admin = client.as(withPassword(annals.admin));
    await admin.post('/User', { userName, lastName: 'F', type: 'regular', password });
    const person = client.as(withEspo({ userName, secret: password }));
    expectCode(await person.post(codesPath, { password }), 409, 'second_factor.missing');
    const made = await person.post('/UserSecurity/totp/generate');
    const { secret } = made.body as { readonly secret: string };
    const code = new TOTP({ secret }).generate();
    const session = await person.post(path, undefined, own);
    const headers = { ...own, Cookie: cookieOf(session).split(';')[0] ?? '' };
    await client.put('/UserSecurity/totp', { password, secret, code }, headers);
    expectCode(await client.post(codesPath, { password: 'x' }, headers), 403, 'password.wrong');

    const replace = async () => {
      const answer = await client.post(codesPath, { password }, headers);
      return (answer.body as { readonly codes: readonly string[] }).codes;
    };
    const codes = await replace();
    expect(codes).toHaveLength(10);
    const withCode = async (sent = '') =>
      (await person.get('/App/user', { 'Espo-Authorization-Code': sent })).status;
    const together = await Promise.all([withCode(codes[0]), withCode(codes[0])]);
    expect(together.toSorted()).toEqual([200, 401]);
    expect((await client.get('/UserSecurity/totp', headers)).body).toEqual({
      enabled: true,
      recoveryCodes: 9,
    });
    const [fresh] = await replace();
    expect(await withCode(codes[1])).toBe(401);
    expect(await withCode(fresh)).toBe(200);

    await client.post('/UserSecurity/totp/disable', { password }, headers);
    expect((await client.get('/UserSecurity/totp', headers)).body).toEqual({
      enabled: false,
      recoveryCodes: 0,
    });
  });
});
