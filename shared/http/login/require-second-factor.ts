import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import { secondFactorType, toSecondFactor } from '../../domain/login/second-factor.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { findTotpStep } from '../../secrets/totp.ts';
import { createLoginLimit } from './login-limit.ts';
import { singleHeader } from './read-credentials.ts';

interface SecondFactorDeps {
  readonly directory: Pick<Directory, 'record'>;
  readonly secrets: Pick<SecretBox, 'tryOpen'>;
  /** Writes down that a code was used; false if it, or a newer one, was used before, at whichever instance. */
  readonly acceptStep: (userId: string, step: number) => Promise<boolean>;
  readonly now: () => number;
}

const maxWrongCodes = 10;
const windowMs = 300_000;

/** What clients know as the second step: the reason, and a body that says which code is wanted. */
const secondStep = {
  status: 'secondStepRequired',
  message: 'enterTotpCode',
  view: null,
  token: null,
  data: {},
} as const;

/** Asks whoever gave the right password for the code of their authenticator, if they have one. */
export function createRequireSecondFactor(deps: SecondFactorDeps) {
  const { directory, secrets, acceptStep, now } = deps;
  const limit = createLoginLimit({ maxFailures: maxWrongCodes, windowMs, now });

  return async ({ headers }: FastifyRequest, user: RecordState): Promise<void> => {
    const factor = toSecondFactor(directory.record(secondFactorType, user.id));
    if (factor === undefined) return;
    const code = singleHeader(headers['espo-authorization-code']);
    if (code === undefined) throw codeMissing();
    if (limit.isExceeded(user.id)) throw tooManyCodes();
    // Under another master key no code is right any more: an administrator takes the factor away.
    const secret = secrets.tryOpen(factor.totpSecret);
    const step = secret === null ? undefined : findTotpStep(secret, code, now());
    if (step !== undefined && step > factor.lastStep && (await acceptStep(user.id, step))) return;
    limit.noteFailure(user.id);
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
