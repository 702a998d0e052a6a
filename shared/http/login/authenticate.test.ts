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
// Cheap, to keep the tests fast. The hash contains its cost.
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
  const recordedUses: string[] = [];
  const accepted: number[] = [];
  const recoveryHashes = new Set([secrets.tokenHash('abcde23456')]);
  /** Entries from another instance, which become visible here only after catching up. */
  const late: (() => void)[] = [];
  const { identify } = createAuthentication({
    directory,
    secrets,
    tokenLifetime: { maxIdleMs: 48 * hourMs, maxAgeMs: 0 },
    catchUp: async () => {
      for (const write of late.splice(0)) write();
    },
    writes: {
      recordTokenUse: ({ id }) => recordedUses.push(id),
      async acceptCode(_userId, step) {
        if (accepted.includes(step)) return false;
        accepted.push(step);
        return true;
      },
      acceptRecoveryCode: async (_userId, hash) => recoveryHashes.delete(hash),
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
    /** Returns the entries in the request log. */
    logged: () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request'),
    put,
    recordedUses,
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
    advance: (ms: number) => (now += ms),
    async send(
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
  it('authenticates its user', async () => {
    const { send } = buildExample();
    expect(await send({ 'X-API-KEY': apiKey })).toMatchObject({
      status: 200,
      body: { id: 'robot', type: 'api' },
    });
  });

  it.each([apiKey.toUpperCase().replace('1', '9'), `${apiKey}0`, hmacKey, 'x', '\u00ff'])(
    'returns 401 if it is wrong or belongs to an HMAC user: %s',
    async (key) => {
      const answer = await buildExample().send({ 'x-api-key': key });
      expect(answer).toMatchObject(wrong);
      expect(answer.headers['www-authenticate']).toBeUndefined();
      expect(answer.headers['x-status-reason']).toBe('Wrong credentials.');
    },
  );

  it('returns 401 with the reason for a deactivated user', async () => {
    expect(await buildExample().send({ 'x-api-key': inactiveKey })).toMatchObject(inactive);
  });

  it('works as soon as its user is activated and fails once a new key exists', async () => {
    const { send, put } = buildExample();
    put('gone', { isActive: true });
    expect((await send({ 'x-api-key': inactiveKey })).status).toBe(200);
    put('gone', { apiKeyHash: secrets.lookupHash('another') });
    expect((await send({ 'x-api-key': inactiveKey })).status).toBe(401);
  });
});

describe('an HMAC signature', () => {
  it.each([
    ['/api/v1/Contact', 'GET /Contact'],
    ['//api/v1/Contact?maxSize=5', 'GET /Contact'],
    ['/api/v1/Contact/', 'GET /Contact/'],
    ['/api/v1/Account/a%2Db', 'GET /Account/a%2Db'],
  ])('for the URL %s signs %s', async (url, signed) => {
    const { send } = buildExample();
    expect(await send(hmac(signed), url)).toMatchObject({ status: 200, body: { id: 'signer' } });
  });

  it('may be raw bytes in every form that clients concatenate', async () => {
    const { send } = buildExample();
    const raw = sign('GET /Contact').digest();
    for (const header of [
      Buffer.concat([Buffer.from(`${hmacKey}:`), raw]).toString('base64'),
      base64(`${hmacKey}:`) + raw.toString('base64'),
      `${base64(hmacKey)}6${raw.toString('base64')}`,
    ]) {
      expect((await send({ 'x-hmac-authorization': header })).status).toBe(200);
    }
  });

  it.each([
    ['another path', hmac('GET /Account')],
    ['another method', hmac('POST /Contact')],
    ['another secret', hmac('GET /Contact', 'x')],
    ['the key of a user without HMAC', { 'x-hmac-authorization': base64(`${apiKey}:00`) }],
    ['an unknown key', { 'x-hmac-authorization': base64('a:b') }],
    ['no colon', { 'x-hmac-authorization': 'aaaa' }],
  ])('returns 401 with %s', async (_what, headers) => {
    expect(await buildExample().send(headers)).toMatchObject(wrong);
  });

  it('returns 401 with a secret from before a rotation', async () => {
    const { send, put } = buildExample();
    expect((await send(hmac('GET /Contact'))).status).toBe(200);
    put('signer', { secretKey: secrets.seal('new') });
    expect((await send(hmac('GET /Contact'))).status).toBe(401);
    expect((await send(hmac('GET /Contact', 'new'))).status).toBe(200);
  });
});

describe('a password', () => {
  it.each([
    ['ann', 'regular'],
    ['boss', 'admin'],
  ])('authenticates %s with Basic and with Espo-Authorization', async (user, type) => {
    const { send } = buildExample();
    const expected = { status: 200, body: { id: user, type } };
    expect(await send(basic(user, 'pass:wörd'))).toMatchObject(expected);
    const espo = { 'espo-authorization': base64(`${user}:pass:wörd`) };
    expect(await send(espo)).toMatchObject(expected);
    expect(await send({ ...espo, 'espo-authorization-by-token': 'true' })).toMatchObject(wrong);
  });

  it.each([
    ['a wrong password', basic('ann', 'x')],
    ['an unknown user', basic('nobody', 'pass:wörd')],
    ['an API user', basic('robot', 'pass:wörd')],
    ['no colon', { authorization: `Basic ${base64('ann')}` }],
    ['nothing in it', { authorization: 'Basic ' }],
  ])('returns 401 with %s', async (_what, headers) => {
    const answer = await buildExample().send(headers);
    expect(answer).toMatchObject(wrong);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('reveals a deactivated user only if it is correct', async () => {
    const { send } = buildExample();
    expect(await send(basic('old', 'pass:wörd'))).toMatchObject(inactive);
    expect(await send(basic('old', 'x'))).toMatchObject(wrong);
  });

  it('returns 400 in an Espo-Authorization header without a colon', async () => {
    expect(await buildExample().send({ 'espo-authorization': base64('ann') })).toMatchObject({
      status: 400,
      body: { message: 'Auth: Bad authorization string provided.' },
    });
  });

  it('is still accepted after 10 failures from an address within 60 s', async () => {
    const { send } = buildExample();
    for (let i = 0; i < 10; i += 1) {
      expect(await send(basic('ann', `guess ${i}`))).toMatchObject(wrong);
    }
    expect((await send(basic('ann', 'pass:wörd'))).status).toBe(200);
    expect(await send(basic('ann', 'one more'))).toMatchObject(wrong);
    expect((await send(basic('ann', 'pass:wörd'))).status).toBe(403);
  });

  it('is rejected after more than 10 failures within 60 s while API keys still work', {
    timeout: 20_000,
  }, async () => {
    const { send, advance } = buildExample();
    const attempts = Array.from({ length: 30 }, (_, index) => send(basic('ann', `guess ${index}`)));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    const tried = statuses.filter((status) => status === 401).length;
    expect(tried).toBeGreaterThanOrEqual(11);
    // Plus the attempts whose checks were running when the eleventh one failed.
    expect(tried).toBeLessThanOrEqual(14);
    expect(await send(basic('ann', 'pass:wörd'))).toMatchObject({
      status: 403,
      body: { code: 'login.limited' },
    });
    expect((await send({ 'x-api-key': apiKey })).status).toBe(200);
    expect((await send({ 'x-api-key': 'x' })).status).toBe(401);
    expect((await send(basic('ann', 'pass:wörd'), '/api/v1/Contact', '10.0.0.2')).status).toBe(200);
    advance(60_000);
    expect((await send(basic('ann', 'pass:wörd'))).status).toBe(200);
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

  it('is accepted in every header for passwords and starts no login', async () => {
    const { send, putToken } = buildExample();
    putToken(token);
    for (const headers of [basic('ann', token), espo(), byToken()]) {
      expect(await send(headers)).toMatchObject(letIn);
    }
    expect(await send(byToken(token, 'boss'))).toMatchObject(wrong);
    expect(await send(byToken('b'.repeat(32)))).toMatchObject(wrong);
    expect(
      await send({ 'x-api-key': apiKey, 'espo-authorization-by-token': 'true' }),
    ).toMatchObject(wrong);
  });

  it('is accepted after catching up if another instance has just issued it', async () => {
    const { send, putToken, late } = buildExample();
    for (const headers of [byToken(), espo(), basic('ann', token)]) {
      late.push(() => putToken(token));
      expect(await send(headers)).toMatchObject(letIn);
    }
  });

  it('expires 48 hours after its last use, which is recorded at most once an hour', async () => {
    const { send, putToken, advance, recordedUses, now } = buildExample();
    putToken(token);
    advance(hourMs - 1);
    await send(byToken());
    expect(recordedUses).toEqual([]);
    advance(1);
    await send(byToken());
    expect(recordedUses).toEqual([token]);
    putToken(token, { usedAtMs: now() });
    await send(byToken());
    expect(recordedUses).toEqual([token]);
    advance(48 * hourMs - 1);
    expect((await send(byToken())).status).toBe(200);
    advance(1);
    expect(await send(byToken())).toMatchObject(wrong);
  });

  it('stops working when the password changes or the user may no longer log in', async () => {
    const { send, put, putToken } = buildExample();
    putToken(token);
    put('ann', { type: 'api' });
    expect(await send(byToken())).toMatchObject(wrong);
    put('ann', { type: 'regular' });
    expect(await send(byToken())).toMatchObject(letIn);
    put('ann', { passwordHash: passwordHash.replace('p=1', 'p=2') });
    expect(await send(byToken())).toMatchObject(wrong);
    put('ann', { passwordHash });
    expect(await send(byToken())).toMatchObject(letIn);
    put('ann', { isActive: false });
    expect(await send(byToken())).toMatchObject(wrong);
    put('ann', { isActive: true });
    expect(await send(byToken())).toMatchObject(wrong);
  });

  it('requires the cookie from its login if the login set a cookie', async () => {
    const { send, putToken } = buildExample();
    putToken(token, { secretHash: secrets.tokenHash('s3') });
    expect(await send(byToken())).toMatchObject(wrong);
    expect(await send({ ...byToken(), cookie: 'auth-token-secret=x' })).toMatchObject(wrong);
    expect(await send({ ...byToken(), cookie: 'a=b;auth-token-secret=s3' })).toMatchObject(letIn);
  });

  it('works from a rate-limited address and does not count towards the limit', {
    timeout: 20_000,
  }, async () => {
    const { send, putToken } = buildExample();
    putToken(token);
    for (let i = 0; i < 12; i++) {
      expect((await send(byToken('c'.repeat(32)))).status).toBe(401);
    }
    expect((await send(basic('ann', 'pass:wörd'))).status).toBe(200);
    for (let i = 0; i < 11; i++) await send(basic('ann', `guess ${i}`));
    expect((await send(basic('ann', 'pass:wörd'))).status).toBe(403);
    expect(await send(byToken())).toMatchObject(letIn);
    expect(await send(basic('ann', token))).toMatchObject(letIn);
  });
});

describe('a second factor', () => {
  const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const withFactor = () => {
    const example = buildExample();
    example.put('ann', { totpSecret: secrets.seal(totpSecret), lastStep: 0 }, 'SecondFactor');
    const codeAt = (timestamp: number) => new TOTP({ secret: totpSecret }).generate({ timestamp });
    const send = (code?: string, password = 'pass:wörd') =>
      example.send({
        ...basic('ann', password),
        ...(code === undefined ? {} : { 'espo-authorization-code': code }),
      });
    return { ...example, send, code: () => codeAt(example.now()) };
  };
  const secondStep = { status: 401, body: { status: 'secondStepRequired' } };
  const wrongCode = { status: 401, body: { code: 'code.invalid' } };

  it('requires a code only after a correct password', async () => {
    const { send, code } = withFactor();
    const answer = await send();
    expect(answer).toMatchObject(secondStep);
    expect(answer.headers['x-status-reason']).toBe('second-step-required');
    expect(await send(undefined, 'x')).toMatchObject(wrong);
    expect(await send(code(), 'x')).toMatchObject(wrong);
    expect(await send(code())).toMatchObject({ status: 200, body: { id: 'ann' } });
  });

  it('accepts each code once and rejects older codes', async () => {
    const { send, code, advance, put } = withFactor();
    const first = code();
    expect((await send(first)).status).toBe(200);
    expect(await send(first)).toMatchObject(wrongCode);
    advance(30_000);
    put('ann', { lastStep: Math.floor(1_030_000 / 30_000) }, 'SecondFactor');
    expect(await send(first)).toMatchObject(wrongCode);
    expect(await send(code())).toMatchObject(wrongCode);
    advance(30_000);
    expect((await send(code())).status).toBe(200);
    advance(90_000);
    expect(await send(first)).toMatchObject(wrongCode);
  });

  it('accepts a recovery code once in any case and counts wrong ones', async () => {
    const { send, code } = withFactor();
    expect(await send('zzzzz-zzzzz')).toMatchObject(wrongCode);
    expect(await send('ABCDE 23456', 'x')).toMatchObject(wrong);
    expect(await send('ABCDE 23456')).toMatchObject({ status: 200, body: { id: 'ann' } });
    expect(await send('abcde-23456')).toMatchObject(wrongCode);
    expect((await send(code())).status).toBe(200);
    for (let i = 0; i < 9; i++) expect(await send('zzzzz-zzzzz')).toMatchObject(wrongCode);
    expect(await send('zzzzz-zzzzz')).toMatchObject({ body: { code: 'code.limited' } });
  });

  it('is locked for its user after more than ten wrong codes within five minutes', async () => {
    const { send, code, advance } = withFactor();
    for (let i = 0; i < 11; i++) expect(await send('nonsense')).toMatchObject(wrongCode);
    expect(await send(code())).toMatchObject({ status: 403, body: { code: 'code.limited' } });
    expect(await send()).toMatchObject(secondStep);
    advance(300_000);
    expect((await send(code())).status).toBe(200);
  });
});

describe('a second factor sealed with another master key', () => {
  it('rejects every code', async () => {
    const { send, put } = buildExample();
    const totpSecret = createSecretBox('f0'.repeat(32)).seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
    put('ann', { totpSecret, lastStep: 0 }, 'SecondFactor');
    const headers = { ...basic('ann', 'pass:wörd'), 'espo-authorization-code': '123456' };
    expect(await send(headers)).toMatchObject({ status: 401, body: { code: 'code.invalid' } });
  });
});

describe('X-Another-User', () => {
  it('lets only administrators act as another active user', async () => {
    const { send } = buildExample();
    const as = (user: string) => ({ 'x-another-user': user });
    const boss = basic('boss', 'pass:wörd');
    for (const user of ['ann', 'robot', 'boss']) {
      expect(await send({ ...boss, ...as(user) })).toMatchObject({ body: { id: user } });
    }
    expect(await send({ ...boss, ...as('nobody') })).toMatchObject(wrong);
    expect(await send({ ...boss, ...as('old') })).toMatchObject(wrong);
    const forbidden = { status: 403, body: { code: 'user.not_administrator' } };
    expect(await send({ ...basic('ann', 'pass:wörd'), ...as('boss') })).toMatchObject(forbidden);
    expect(await send({ 'x-api-key': apiKey, ...as('boss') })).toMatchObject(forbidden);
    expect(await send({ ...basic('boss', 'x'), ...as('ann') })).toMatchObject(wrong);
  });
});

describe('the request log', () => {
  it('includes the administrator and the impersonated user', async () => {
    const { send, logged } = buildExample();
    const boss = basic('boss', 'pass:wörd');
    await send({ ...boss, 'x-another-user': 'ann' });
    await send({ ...boss, 'x-another-user': 'boss' });
    expect(logged()[0]).toMatchObject({ userId: 'ann', administratorId: 'boss' });
    expect(logged()[1]).not.toHaveProperty('administratorId');
  });
});

describe('a request', () => {
  it('returns 401 without credentials and prompts browsers but not scripts', async () => {
    const { send } = buildExample();
    const expected = { status: 401, body: { code: 'credentials.missing' } };
    const answer = await send({});
    expect(answer).toMatchObject(expected);
    expect(answer.headers['www-authenticate']).toBe('Basic realm=""');
    for (const headers of [{ referer: 'http://x' }, { 'x-requested-with': 'XMLHttpRequest' }]) {
      const quiet = await send(headers);
      expect(quiet).toMatchObject(expected);
      expect(quiet.headers['www-authenticate']).toBeUndefined();
    }
    expect(await send({ authorization: 'Bearer x' })).toMatchObject(expected);
    expect(await send({ 'x-api-key': '' })).toMatchObject(expected);
  });

  it('is authenticated only by the first of several kinds of credentials', async () => {
    const { send } = buildExample();
    const good = { 'x-api-key': apiKey };
    expect(await send({ ...good, ...hmac('nonsense'), ...basic('a', 'b') })).toMatchObject({
      status: 200,
    });
    expect(await send({ ...good, 'espo-authorization': base64('a:b') })).toMatchObject(wrong);
    expect(await send({ ...hmac('nonsense'), ...basic('ann', 'pass:wörd') })).toMatchObject(wrong);
  });
});
