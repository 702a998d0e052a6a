import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { addressOf } from '../address/address-of.ts';
import { createCheckPassword } from './check-password.ts';
import type { LoginDeps } from './login-deps.ts';
import { createLoginLimit } from './login-limit.ts';
import { passwordHashOf } from './password-hash-of.ts';

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

/**
 * Returns a function that finds the user with this password. A wrong password counts as a failed login and returns
 * undefined. Rejects addresses with too many failed logins.
 */
export function createProvePassword({ directory, now }: LoginDeps) {
  const limit = createLoginLimit({ maxFailures: MAX_FAILURES, windowMs: WINDOW_MS, now });
  const checkPassword = createCheckPassword();

  function refuseIfExceeded(address: string): void {
    if (!limit.isExceeded(address)) return;
    throw new Refusal('forbidden', 'login.limited', 'Too many failed logins from this address.');
  }

  return async (
    request: FastifyRequest,
    userName: string,
    password: string,
  ): Promise<RecordState | undefined> => {
    const address = addressOf(request);
    refuseIfExceeded(address);
    const user = directory.userByName(userName);
    const passwordHash = passwordHashOf(user);
    const login = { address, userId: user?.id ?? '', password, passwordHash };
    // Checked again right before hashing: guesses that wait in the queue must not exceed the limit.
    const isRight = await checkPassword(login, () => refuseIfExceeded(address));
    if (isRight) return user;
    // Counted immediately: simultaneous guesses must not exceed the limit.
    limit.recordFailure(address);
    return undefined;
  };
}
