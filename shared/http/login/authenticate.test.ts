import { createHmac, scryptSync } from 'node:crypto';
import { TOTP } from 'otpauth';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../domain/directory/directory.ts';
import { stockDefinitions } from '../../domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../domain/value/attribute-values.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';
import { buildServer } from '../server/build-server.ts';
import { createAuthentication } from './authenticate.ts';

const hourMs = 3_600_000;
const secrets = createSecretBox('0f'.repeat(32));
const apiKey = '00000000000000000000000000000001';
const hmacKey = '00000000000000000000000000000002';
const inactiveKey = '00000000000000000000000000000003';
const secretKey = 'fedcba9876543210fedcba9876543210';
// Cheap, for the tests to be quick: the cost stands in the hash.
const salt = Buffer.from('salt').toString('base64url');
const hash = scryptSync('pass:wörd', 'salt', 32, { N: 16 }).toString('base64url');
const passwordHash = `scrypt$N=16,r=8,p=1$${salt}$${hash}`;

function buildExample() {
  const directory = createDirectory(stockDefinitions);
  let versions = 0;
  const put = (recordId: string, values: AttributeValues, entityType = 'User') => {
    versions += 1;
    directory.apply({
      eventId: `${versions}`,
      entityType,
      recordId,
      version: versions,
      type: directory.record(entityType, recordId) === undefined ? 'Created' : 'Updated',
      occurredAt: 0,
      actorId: 'system',
      commandId: null,
      commandHash: null,
      correlationId: null,
      access: { assignedUserId: null, createdById: null, teamIds: [] },
      changes: Object.entries(values).map(([attribute, after]) => ({
        attribute,
        before: null,
        after,
      })),
    });
  };
  const key = (value: string) => ({
    type: 'api',
    apiKeyHash: secrets.lookupHash(value),
    isActive: true,
  });
  put('ann', { userName: 'ann', type: 'regular', isActive: true, passwordHash });
  put('old', { userName: 'old', type: 'regular', isActive: false, passwordHash });
  put('boss', { userName: 'boss', type: 'admin', isActive: true, passwordHash });
  put('robot', { userName: 'robot', ...key(apiKey), authMethod: 'ApiKey', passwordHash });
  put('signer', {
    userName: 'signer',
    ...key(hmacKey),
    authMethod: 'Hmac',
    secretKey: secrets.seal(secretKey),
  });
  put('gone', { userName: 'gone', ...key(inactiveKey), authMethod: 'ApiKey', isActive: false });

  let now = 1_000_000;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const server = buildServer({ log, bodyLimitBytes: 1_000 });
  const noted: string[] = [];
  const accepted: number[] = [];
  /** Entries of another instance, which are known here only after catching up. */
  const late: (() => void)[] = [];
  const { identify } = createAuthentication({
    directory,
    secrets,
    tokenLifetime: { maxIdleMs: 48 * hourMs, maxAgeMs: 0 },
    catchUp: async () => {
      for (const write of late.splice(0)) write();
    },
    writes: {
      noteTokenUse: ({ id }) => noted.push(id),
      async acceptCode(_userId, step) {
        if (accepted.includes(step)) return false;
        accepted.push(step);
        return true;
      },
    },
    now: () => now,
  });
  for (const url of ['/api/v1', '/api/v1/:entity', '/api/v1/:entity/:id']) {
    server.route({
      method: ['GET', 'POST'],
      url,
      handler: async (request) => {
        const { actor, token, startsLogin } = await identify(request);
        return { id: actor.id, type: actor.type, token, startsLogin };
      },
    });
  }
  return {
    /** The lines of the request log. */
    logged: () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request'),
    put,
    noted,
    late,
    now: () => now,
    putToken: (token: string, values: AttributeValues = {}) =>
      put(
        token,
        {
          userId: 'ann',
          tokenHash: secrets.tokenHash(token),
          secretHash: null,
          passwordMark: secrets.tokenHash(passwordHash),
          issuedAtMs: now,
          usedAtMs: now,
          ...values,
        },
        'AuthToken',
      ),
    pass: (ms: number) => (now += ms),
    async ask(
      headers: Readonly<Record<string, string>>,
      url = '/api/v1/Contact',
      remoteAddress = '10.0.0.1',
    ) {
      const response = await server.inject({ url, headers, remoteAddress });
      return { status: response.statusCode, headers: response.headers, body: response.json() };
    },
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const basic = (user: string, password: string) => ({
  authorization: `Basic ${base64(`${user}:${password}`)}`,
});
const sign = (signed: string, secret = secretKey) => createHmac('sha256', secret).update(signed);
const hmac = (signed: string, secret = secretKey) => ({
  'x-hmac-authorization': base64(`${hmacKey}:${sign(signed, secret).digest('hex')}`),
});
const wrong = { status: 401, body: { message: 'Wrong credentials.', code: 'credentials.invalid' } };
const inactive = {
  status: 401,
  body: { message: 'The user is deactivated.', code: 'user.inactive' },
};

describe('an API key', () => {
  it('names its user', async () => {
    const { ask } = buildExample();
    expect(await ask({ 'X-API-KEY': apiKey })).toMatchObject({
      status: 200,
      body: { id: 'robot', type: 'api' },
    });
  });

  it.each([apiKey.toUpperCase().replace('1', '9'), `${apiKey}0`, hmacKey, 'x', '\u00ff'])(
    'that is wrong, or of an HMAC user, is a 401: %s',
    async (key) => {
      const answer = await buildExample().ask({ 'x-api-key': key });
      expect(answer).toMatchObject(wrong);
      expect(answer.headers['www-authenticate']).toBeUndefined();
      expect(answer.headers['x-status-reason']).toBe('Wrong credentials.');
    },
  );

  it('of a deactivated user is a 401 that says so', async () => {
    expect(await buildExample().ask({ 'x-api-key': inactiveKey })).toMatchObject(inactive);
  });

  it('works at once after its user was activated, and no longer after a new key', async () => {
    const { ask, put } = buildExample();
    put('gone', { isActive: true });
    expect((await ask({ 'x-api-key': inactiveKey })).status).toBe(200);
    put('gone', { apiKeyHash: secrets.lookupHash('another') });
    expect((await ask({ 'x-api-key': inactiveKey })).status).toBe(401);
  });
});

describe('an HMAC signature', () => {
  it.each([
    ['/api/v1/Contact', 'GET /Contact'],
    ['//api/v1/Contact?maxSize=5', 'GET /Contact'],
    ['/api/v1/Contact/', 'GET /Contact/'],
    ['/api/v1/Account/a%2Db', 'GET /Account/a%2Db'],
  ])('of %s is over %s', async (url, signed) => {
    const { ask } = buildExample();
    expect(await ask(hmac(signed), url)).toMatchObject({ status: 200, body: { id: 'signer' } });
  });

  it('may be raw bytes, in any of the forms that clients glue together', async () => {
    const { ask } = buildExample();
    const raw = sign('GET /Contact').digest();
    for (const header of [
      Buffer.concat([Buffer.from(`${hmacKey}:`), raw]).toString('base64'),
      base64(`${hmacKey}:`) + raw.toString('base64'),
      `${base64(hmacKey)}6${raw.toString('base64')}`,
    ]) {
      expect((await ask({ 'x-hmac-authorization': header })).status).toBe(200);
    }
  });

  it.each([
    ['another path', hmac('GET /Account')],
    ['another method', hmac('POST /Contact')],
    ['another secret', hmac('GET /Contact', 'x')],
    ['the key of an API key user', { 'x-hmac-authorization': base64(`${apiKey}:00`) }],
    ['an unknown key', { 'x-hmac-authorization': base64('a:b') }],
    ['no colon', { 'x-hmac-authorization': 'aaaa' }],
  ])('with %s is a 401', async (_what, headers) => {
    expect(await buildExample().ask(headers)).toMatchObject(wrong);
  });

  it('with a secret of before a rotation is a 401', async () => {
    const { ask, put } = buildExample();
    expect((await ask(hmac('GET /Contact'))).status).toBe(200);
    put('signer', { secretKey: secrets.seal('new') });
    expect((await ask(hmac('GET /Contact'))).status).toBe(401);
    expect((await ask(hmac('GET /Contact', 'new'))).status).toBe(200);
  });
});

describe('a password', () => {
  it.each([
    ['ann', 'regular'],
    ['boss', 'admin'],
  ])('lets %s in, by Basic and by Espo-Authorization', async (user, type) => {
    const { ask } = buildExample();
    const expected = { status: 200, body: { id: user, type } };
    expect(await ask(basic(user, 'pass:wörd'))).toMatchObject(expected);
    const espo = { 'espo-authorization': base64(`${user}:pass:wörd`) };
    expect(await ask(espo)).toMatchObject(expected);
    expect(await ask({ ...espo, 'espo-authorization-by-token': 'true' })).toMatchObject(wrong);
  });

  it.each([
    ['a wrong password', basic('ann', 'x')],
    ['an unknown user', basic('nobody', 'pass:wörd')],
    ['an API user', basic('robot', 'pass:wörd')],
    ['no colon', { authorization: `Basic ${base64('ann')}` }],
    ['nothing in it', { authorization: 'Basic ' }],
  ])('with %s is a 401', async (_what, headers) => {
    const answer = await buildExample().ask(headers);
    expect(answer).toMatchObject(wrong);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('of a deactivated user tells so only when it is right', async () => {
    const { ask } = buildExample();
    expect(await ask(basic('old', 'pass:wörd'))).toMatchObject(inactive);
    expect(await ask(basic('old', 'x'))).toMatchObject(wrong);
  });

  it('in an Espo-Authorization without a colon is a 400', async () => {
    expect(await buildExample().ask({ 'espo-authorization': base64('ann') })).toMatchObject({
      status: 400,
      body: { message: 'Auth: Bad authorization string provided.' },
    });
  });

  it('is still taken after 10 failures from an address within 60 s', async () => {
    const { ask } = buildExample();
    for (let i = 0; i < 10; i += 1) {
      expect(await ask(basic('ann', `guess ${i}`))).toMatchObject(wrong);
    }
    expect((await ask(basic('ann', 'pass:wörd'))).status).toBe(200);
    expect(await ask(basic('ann', 'one more'))).toMatchObject(wrong);
    expect((await ask(basic('ann', 'pass:wörd'))).status).toBe(403);
  });

  it('is refused from an address with more than 10 failures within 60 s, API keys are not', {
    timeout: 20_000,
  }, async () => {
    const { ask, pass } = buildExample();
    const attempts = Array.from({ length: 30 }, (_, index) => ask(basic('ann', `guess ${index}`)));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    const tried = statuses.filter((status) => status === 401).length;
    expect(tried).toBeGreaterThanOrEqual(11);
    // As many more as were being checked when the eleventh one failed.
    expect(tried).toBeLessThanOrEqual(14);
    expect(await ask(basic('ann', 'pass:wörd'))).toMatchObject({
      status: 403,
      body: { code: 'login.limited' },
    });
    expect((await ask({ 'x-api-key': apiKey })).status).toBe(200);
    expect((await ask({ 'x-api-key': 'x' })).status).toBe(401);
    expect((await ask(basic('ann', 'pass:wörd'), '/api/v1/Contact', '10.0.0.2')).status).toBe(200);
    pass(60_000);
    expect((await ask(basic('ann', 'pass:wörd'))).status).toBe(200);
  });
});

describe('a token', () => {
  const token = 'a'.repeat(32);
  const espo = (secret = token, user = 'ann') => ({
    'espo-authorization': base64(`${user}:${secret}`),
  });
  const byToken = (secret = token, user = 'ann') => ({
    ...espo(secret, user),
    'espo-authorization-by-token': 'true',
  });
  const letIn = { status: 200, body: { id: 'ann', token, startsLogin: false } };

  it('lets its user in, in any slot for a password, and begins no log-in', async () => {
    const { ask, putToken } = buildExample();
    putToken(token);
    for (const headers of [basic('ann', token), espo(), byToken()]) {
      expect(await ask(headers)).toMatchObject(letIn);
    }
    expect(await ask(byToken(token, 'boss'))).toMatchObject(wrong);
    expect(await ask(byToken('b'.repeat(32)))).toMatchObject(wrong);
    expect(await ask({ 'x-api-key': apiKey, 'espo-authorization-by-token': 'true' })).toMatchObject(
      wrong,
    );
  });

  it('that another instance just issued is known after catching up', async () => {
    const { ask, putToken, late } = buildExample();
    for (const headers of [byToken(), espo(), basic('ann', token)]) {
      late.push(() => putToken(token));
      expect(await ask(headers)).toMatchObject(letIn);
    }
  });

  it('dies after 48 hours without a use, which is noted at most once per hour', async () => {
    const { ask, putToken, pass, noted, now } = buildExample();
    putToken(token);
    pass(hourMs - 1);
    await ask(byToken());
    expect(noted).toEqual([]);
    pass(1);
    await ask(byToken());
    expect(noted).toEqual([token]);
    putToken(token, { usedAtMs: now() });
    await ask(byToken());
    expect(noted).toEqual([token]);
    pass(48 * hourMs - 1);
    expect((await ask(byToken())).status).toBe(200);
    pass(1);
    expect(await ask(byToken())).toMatchObject(wrong);
  });

  it('dies with the password, the user, and the right of the user to log in', async () => {
    const { ask, put, putToken } = buildExample();
    putToken(token);
    put('ann', { type: 'api' });
    expect(await ask(byToken())).toMatchObject(wrong);
    put('ann', { type: 'regular' });
    expect(await ask(byToken())).toMatchObject(letIn);
    put('ann', { passwordHash: passwordHash.replace('p=1', 'p=2') });
    expect(await ask(byToken())).toMatchObject(wrong);
    put('ann', { passwordHash });
    expect(await ask(byToken())).toMatchObject(letIn);
    put('ann', { isActive: false });
    expect(await ask(byToken())).toMatchObject(wrong);
    put('ann', { isActive: true });
    expect(await ask(byToken())).toMatchObject(wrong);
  });

  it('counts only with the cookie of its log-in, if there is one', async () => {
    const { ask, putToken } = buildExample();
    putToken(token, { secretHash: secrets.tokenHash('s3') });
    expect(await ask(byToken())).toMatchObject(wrong);
    expect(await ask({ ...byToken(), cookie: 'auth-token-secret=x' })).toMatchObject(wrong);
    expect(await ask({ ...byToken(), cookie: 'a=b;auth-token-secret=s3' })).toMatchObject(letIn);
  });

  it('that is flagged and wrong closes no address, and a right one is let into a closed one', {
    timeout: 20_000,
  }, async () => {
    const { ask, putToken } = buildExample();
    putToken(token);
    for (let i = 0; i < 12; i++) {
      expect((await ask(byToken('c'.repeat(32)))).status).toBe(401);
    }
    expect((await ask(basic('ann', 'pass:wörd'))).status).toBe(200);
    for (let i = 0; i < 11; i++) await ask(basic('ann', `guess ${i}`));
    expect((await ask(basic('ann', 'pass:wörd'))).status).toBe(403);
    expect(await ask(byToken())).toMatchObject(letIn);
    expect(await ask(basic('ann', token))).toMatchObject(letIn);
  });
});

describe('a second factor', () => {
  const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const withFactor = () => {
    const example = buildExample();
    example.put('ann', { totpSecret: secrets.seal(totpSecret), lastStep: 0 }, 'SecondFactor');
    const codeAt = (timestamp: number) => new TOTP({ secret: totpSecret }).generate({ timestamp });
    const ask = (code?: string, password = 'pass:wörd') =>
      example.ask({
        ...basic('ann', password),
        ...(code === undefined ? {} : { 'espo-authorization-code': code }),
      });
    return { ...example, ask, code: () => codeAt(example.now()) };
  };
  const secondStep = { status: 401, body: { status: 'secondStepRequired' } };
  const wrongCode = { status: 401, body: { code: 'code.invalid' } };

  it('asks for a code after the right password alone', async () => {
    const { ask, code } = withFactor();
    const answer = await ask();
    expect(answer).toMatchObject(secondStep);
    expect(answer.headers['x-status-reason']).toBe('second-step-required');
    expect(await ask(undefined, 'x')).toMatchObject(wrong);
    expect(await ask(code(), 'x')).toMatchObject(wrong);
    expect(await ask(code())).toMatchObject({ status: 200, body: { id: 'ann' } });
  });

  it('takes each code once, and none that is older', async () => {
    const { ask, code, pass, put } = withFactor();
    const first = code();
    expect((await ask(first)).status).toBe(200);
    expect(await ask(first)).toMatchObject(wrongCode);
    pass(30_000);
    put('ann', { lastStep: Math.floor(1_030_000 / 30_000) }, 'SecondFactor');
    expect(await ask(first)).toMatchObject(wrongCode);
    expect(await ask(code())).toMatchObject(wrongCode);
    pass(30_000);
    expect((await ask(code())).status).toBe(200);
    pass(90_000);
    expect(await ask(first)).toMatchObject(wrongCode);
  });

  it('is closed for its user by more than ten wrong codes within five minutes', async () => {
    const { ask, code, pass } = withFactor();
    for (let i = 0; i < 11; i++) expect(await ask('nonsense')).toMatchObject(wrongCode);
    expect(await ask(code())).toMatchObject({ status: 403, body: { code: 'code.limited' } });
    expect(await ask()).toMatchObject(secondStep);
    pass(300_000);
    expect((await ask(code())).status).toBe(200);
  });
});

describe('a second factor under another master key', () => {
  it('lets nobody in, as a wrong code does', async () => {
    const { ask, put } = buildExample();
    const totpSecret = createSecretBox('f0'.repeat(32)).seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
    put('ann', { totpSecret, lastStep: 0 }, 'SecondFactor');
    const headers = { ...basic('ann', 'pass:wörd'), 'espo-authorization-code': '123456' };
    expect(await ask(headers)).toMatchObject({ status: 401, body: { code: 'code.invalid' } });
  });
});

describe('X-Another-User', () => {
  it('lets administrators act as an active user, and nobody else', async () => {
    const { ask } = buildExample();
    const as = (user: string) => ({ 'x-another-user': user });
    const boss = basic('boss', 'pass:wörd');
    for (const user of ['ann', 'robot', 'boss']) {
      expect(await ask({ ...boss, ...as(user) })).toMatchObject({ body: { id: user } });
    }
    expect(await ask({ ...boss, ...as('nobody') })).toMatchObject(wrong);
    expect(await ask({ ...boss, ...as('old') })).toMatchObject(wrong);
    const forbidden = { status: 403, body: { code: 'user.not_administrator' } };
    expect(await ask({ ...basic('ann', 'pass:wörd'), ...as('boss') })).toMatchObject(forbidden);
    expect(await ask({ 'x-api-key': apiKey, ...as('boss') })).toMatchObject(forbidden);
    expect(await ask({ ...basic('boss', 'x'), ...as('ann') })).toMatchObject(wrong);
  });
});

describe('the request log', () => {
  it('names the administrator and the user that the administrator acts as', async () => {
    const { ask, logged } = buildExample();
    const boss = basic('boss', 'pass:wörd');
    await ask({ ...boss, 'x-another-user': 'ann' });
    await ask({ ...boss, 'x-another-user': 'boss' });
    expect(logged()[0]).toMatchObject({ userId: 'ann', administratorId: 'boss' });
    expect(logged()[1]).not.toHaveProperty('administratorId');
  });
});

describe('a request', () => {
  it('without credentials is a 401 that asks for a password, unless a script in a page sent it', async () => {
    const { ask } = buildExample();
    const expected = { status: 401, body: { code: 'credentials.missing' } };
    const answer = await ask({});
    expect(answer).toMatchObject(expected);
    expect(answer.headers['www-authenticate']).toBe('Basic realm=""');
    for (const headers of [{ referer: 'http://x' }, { 'x-requested-with': 'XMLHttpRequest' }]) {
      const quiet = await ask(headers);
      expect(quiet).toMatchObject(expected);
      expect(quiet.headers['www-authenticate']).toBeUndefined();
    }
    expect(await ask({ authorization: 'Bearer x' })).toMatchObject(expected);
    expect(await ask({ 'x-api-key': '' })).toMatchObject(expected);
  });

  it('with several kinds of credentials is judged by the first kind alone', async () => {
    const { ask } = buildExample();
    const good = { 'x-api-key': apiKey };
    expect(await ask({ ...good, ...hmac('nonsense'), ...basic('a', 'b') })).toMatchObject({
      status: 200,
    });
    expect(await ask({ ...good, 'espo-authorization': base64('a:b') })).toMatchObject(wrong);
    expect(await ask({ ...hmac('nonsense'), ...basic('ann', 'pass:wörd') })).toMatchObject(wrong);
  });
});
