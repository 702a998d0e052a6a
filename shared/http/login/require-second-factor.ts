import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import { secondFactorType, toSecondFactor } from '../../domain/login/second-factor.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { findTotpStep } from '../../secrets/totp.ts';
import type { LoginDeps } from './login-deps.ts';
import { createLoginLimit } from './login-limit.ts';
import { singleHeader } from './read-credentials.ts';

const MAX_WRONG_CODES = 10;
const WINDOW_MS = 300_000;

/** The second step as clients expect it: the reason, and a body with the kind of code that is needed. */
const secondStep = {
  status: 'secondStepRequired',
  message: 'enterTotpCode',
  view: null,
  token: null,
  data: {},
} as const;

/** Requires the authenticator code of users who have a second factor, after their password was verified. */
export function createRequireSecondFactor({ directory, secrets, writes, now }: LoginDeps) {
  const limit = createLoginLimit({ maxFailures: MAX_WRONG_CODES, windowMs: WINDOW_MS, now });

  return async ({ headers }: FastifyRequest, user: RecordState): Promise<void> => {
    const factor = toSecondFactor(directory.record(secondFactorType, user.id));
    if (factor === undefined) return;
    const code = singleHeader(headers['espo-authorization-code']);
    if (code === undefined) throw codeMissing();
    if (limit.isExceeded(user.id)) throw tooManyCodes();
    // After the master key was replaced, no code is correct: an administrator has to disable the factor.
    const secret = secrets.tryOpen(factor.totpSecret);
    const step = secret === null ? undefined : findTotpStep(secret, code, now());
    const isNew = step !== undefined && step > factor.lastStep;
    if (isNew && (await writes.acceptCode(user.id, step))) return;
    limit.recordFailure(user.id);
    throw new Refusal('unauthenticated', 'code.invalid', 'Wrong code.');
  };
}

function codeMissing(): Refusal {
  return new Refusal('unauthenticated', 'code.missing', 'second-step-required', {
    body: secondStep,
  });
}

function tooManyCodes(): Refusal {
  return new Refusal('forbidden', 'code.limited', 'Too many wrong codes for this user.');
}
