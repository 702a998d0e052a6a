import { describe, expect, it } from 'vitest';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import {
  decideAttempt,
  decideOutcome,
  GIVE_UP_AFTER_MS,
  isOpenRequest,
  LEASE_MS,
  toQueuedEmail,
} from './queued-email.ts';

const MINUTE_MS = 60_000;
const id = 'mail';

function stateOf(values: AttributeValues = {}): RecordState {
  return {
    entityType: 'QueuedEmail',
    id,
    version: 1,
    deleted: false,
    values: {
      kind: 'passwordReset',
      status: 'queued',
      userId: 'ann',
      recipientHash: 'hash',
      content: 'sealed',
      queuedAtMs: 0,
      expiresAtMs: GIVE_UP_AFTER_MS,
      attempts: 0,
      nextAttemptAtMs: 0,
      ...values,
    },
  };
}

const changesIn = (decision: ReturnType<typeof decideOutcome>) =>
  decision &&
  Object.fromEntries(decision.changes.map(({ attribute, after }) => [attribute, after]));

const failed = (isPermanent: boolean) =>
  ({ kind: 'failed', reason: 'sealed', isPermanent }) as const;

describe('an attempt to send an e-mail', () => {
  it('is counted and hides the e-mail until its lease ends', () => {
    expect(changesIn(decideAttempt(stateOf(), id, { attempts: 0, now: 5 }))).toEqual({
      attempts: 1,
      nextAttemptAtMs: 5 + LEASE_MS,
    });
  });

  it('does not begin if another process has begun it, the e-mail is not due, or it has ended', () => {
    const taken = stateOf({ attempts: 1, nextAttemptAtMs: LEASE_MS });
    expect(decideAttempt(taken, id, { attempts: 0, now: 5 })).toBeUndefined();
    expect(decideAttempt(taken, id, { attempts: 1, now: LEASE_MS - 1 })).toBeUndefined();
    expect(decideAttempt(taken, id, { attempts: 1, now: LEASE_MS })).toBeDefined();
    const sent = stateOf({ status: 'sent' });
    expect(decideAttempt(sent, id, { attempts: 0, now: 5 })).toBeUndefined();
  });
});

describe('the outcome of an attempt', () => {
  const outcomeAfter = (values: AttributeValues, outcome: Parameters<typeof decideOutcome>[2]) =>
    changesIn(decideOutcome(stateOf(values), id, outcome));

  it('removes the content of an e-mail that the server has accepted, even after another attempt began', () => {
    const outcome = { attempt: 1, outcome: { kind: 'sent' }, now: 9 } as const;
    const sent = { status: 'sent', content: null };
    expect(outcomeAfter({ attempts: 1 }, outcome)).toEqual(sent);
    expect(outcomeAfter({ attempts: 2 }, outcome)).toEqual(sent);
  });

  it.each([
    [1, 1],
    [2, 5],
    [3, 15],
    [6, 360],
    [7, 360],
  ])('of number %i schedules the next attempt after %i minutes', (attempt, minutes) => {
    expect(
      outcomeAfter({ attempts: attempt }, { attempt, outcome: failed(false), now: 9 }),
    ).toEqual({
      lastError: 'sealed',
      nextAttemptAtMs: 9 + minutes * MINUTE_MS,
    });
  });

  it('ends the e-mail if the failure is permanent or the next attempt would be too late', () => {
    const ended = { status: 'failed', content: null, lastError: 'sealed' };
    const outcome = { attempt: 1, now: 9 };
    expect(outcomeAfter({ attempts: 1 }, { ...outcome, outcome: failed(true) })).toEqual(ended);
    expect(
      outcomeAfter({ attempts: 1, expiresAtMs: MINUTE_MS }, { ...outcome, outcome: failed(false) }),
    ).toEqual(ended);
  });

  it('is ignored if the e-mail has ended, or if a failed attempt was taken over', () => {
    expect(
      outcomeAfter({ status: 'sent', attempts: 1 }, { attempt: 1, outcome: failed(true), now: 9 }),
    ).toBeUndefined();
    expect(
      outcomeAfter({ attempts: 2 }, { attempt: 1, outcome: failed(true), now: 9 }),
    ).toBeUndefined();
  });
});

describe('a link for a new password', () => {
  const passwordRequest = { idHash: 'hash', passwordMark: 'old', expiresAtMs: 100, url: null };
  const email = toQueuedEmail(stateOf({ passwordRequest }));

  it('is valid until it expires, the password changes, or its e-mail fails', () => {
    expect(isOpenRequest(email, 'old', 99)).toBe(true);
    expect(isOpenRequest(email, 'old', 100)).toBe(false);
    expect(isOpenRequest(email, 'new', 99)).toBe(false);
    expect(isOpenRequest({ ...email, status: 'sent' }, 'old', 99)).toBe(true);
    expect(isOpenRequest({ ...email, status: 'failed' }, 'old', 99)).toBe(false);
  });
});
