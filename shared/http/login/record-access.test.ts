import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import type { SignIn } from '../../audit/sign-in.ts';
import { createDirectory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { createAccessNotes } from './record-access.ts';
import type { Credentials } from './read-credentials.ts';

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

function standIn() {
  const signIns: SignIn[] = [];
  const uses: [string, number][] = [];
  let now = 1_900_000_000_000;
  const notes = createAccessNotes({
    directory: createDirectory([]),
    watch: {
      noteSignIn: (signIn) => void signIns.push(signIn),
      noteKeyUse: (userId, atMs) => void uses.push([userId, atMs]),
    },
    now: () => now,
  });
  return { notes, signIns, uses, pass: (ms: number) => (now += ms) };
}

const byPassword = { proven: ann, token: null, startsLogin: false };

it('tells of a client that sends its password each time once an hour', () => {
  const { notes, signIns, pass } = standIn();
  for (let minute = 0; minute < 120; minute += 1) {
    notes.proved(request, basic, byPassword);
    pass(60_000);
  }
  expect(signIns).toHaveLength(2);
  expect(signIns[0]).toMatchObject({ userName: 'ann', reason: null, requestId: 'trace' });
});

it('tells of keys when they were used, and of tokens nothing', () => {
  const { notes, signIns, uses } = standIn();
  notes.proved(request, { kind: 'key', apiKey: 'hush' }, byPassword);
  notes.proved(request, { kind: 'session', secret: 'hush' }, byPassword);
  notes.proved(request, basic, { ...byPassword, token: 'hush' });
  expect([signIns, uses]).toEqual([[], [['ann-id', 1_900_000_000_000]]]);
});

it('tells who was refused, and never by what secret', () => {
  const { notes, signIns } = standIn();
  const name = `${'a'.repeat(99)}\u{1f600}`;
  notes.refused(request, { ...basic, userName: name }, wrong);
  notes.refused(request, { kind: 'hmac', header: 'hush' }, wrong);
  notes.wrongPassword(request, ann);
  // No attempt has failed with these.
  notes.refused(request, { kind: 'session', secret: 'hush' }, wrong);
  notes.refused(request, basic, new Refusal('unauthenticated', 'code.missing', 'second step'));
  notes.refused(request, basic, new Error('a bug'));
  expect(signIns.map(({ userName, method, reason }) => [userName, method, reason])).toEqual([
    [`${'a'.repeat(99)}\ufffd`, 'password', 'credentials.invalid'],
    [null, 'hmac', 'credentials.invalid'],
    ['ann', 'password', 'credentials.invalid'],
  ]);
  expect(JSON.stringify(signIns)).not.toContain('hush');
});
