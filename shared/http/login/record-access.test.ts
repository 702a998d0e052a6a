import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import type { SignIn } from '../../audit/access-tables.ts';
import { createDirectory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Credentials } from './read-credentials.ts';
import { createRecordAccess } from './record-access.ts';

const ann: RecordState = {
  entityType: 'User',
  id: 'ann-id',
  version: 1,
  deleted: false,
  values: { userName: 'ann' },
};
const request = { ip: '::1', trace: { traceId: 'trace' } } as FastifyRequest;
const basic: Credentials = {
  kind: 'password',
  userName: 'ann',
  secret: 'hush',
  isTokenOnly: false,
  startsLogin: false,
};
const wrong = new Refusal('unauthenticated', 'credentials.invalid', 'Wrong credentials.');

function buildExample() {
  const signIns: SignIn[] = [];
  const uses: [string, number][] = [];
  let now = 1_900_000_000_000;
  const access = createRecordAccess(
    createDirectory([]),
    {
      recordSignIn: (signIn) => void signIns.push(signIn),
      recordKeyUse: (userId, atMs) => void uses.push([userId, atMs]),
      flush: async () => undefined,
      close: async () => undefined,
    },
    () => now,
  );
  return { access, signIns, uses, advance: (ms: number) => (now += ms) };
}

const byPassword = { proven: ann, token: null, startsLogin: false };

it('records repeated password requests of a client once an hour', () => {
  const { access, signIns, advance } = buildExample();
  for (let minute = 0; minute < 120; minute += 1) {
    access.accepted(request, basic, byPassword);
    advance(60_000);
  }
  expect(signIns).toHaveLength(2);
  expect(signIns[0]).toMatchObject({ userName: 'ann', reason: null, requestId: 'trace' });
});

it('records uses of keys but not of tokens', () => {
  const { access, signIns, uses } = buildExample();
  access.accepted(request, { kind: 'key', apiKey: 'hush' }, byPassword);
  access.accepted(request, { kind: 'session', secret: 'hush' }, byPassword);
  access.accepted(request, basic, { ...byPassword, token: 'hush' });
  expect([signIns, uses]).toEqual([[], [['ann-id', 1_900_000_000_000]]]);
});

it('records rejected users without their secrets', () => {
  const { access, signIns } = buildExample();
  const name = `${'a'.repeat(99)}\u{1f600}`;
  access.rejected(request, { ...basic, userName: name }, wrong);
  access.rejected(request, { kind: 'hmac', header: 'hush' }, wrong);
  access.wrongPassword(request, ann);
  // These are not failed login attempts.
  access.rejected(request, { kind: 'session', secret: 'hush' }, wrong);
  access.rejected(request, basic, new Refusal('unauthenticated', 'code.missing', 'second step'));
  access.rejected(request, basic, new Error('a bug'));
  expect(signIns.map(({ userName, method, reason }) => [userName, method, reason])).toEqual([
    [`${'a'.repeat(99)}\ufffd`, 'password', 'credentials.invalid'],
    [null, 'hmac', 'credentials.invalid'],
    ['ann', 'password', 'credentials.invalid'],
  ]);
  expect(JSON.stringify(signIns)).not.toContain('hush');
});
