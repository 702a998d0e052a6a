import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal, Unavailable } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { limitConcurrency } from '../../runtime/limit-concurrency.ts';
import { hashPassword, verifyPassword } from '../../secrets/password-hash.ts';
import { addressOf } from '../address/address-of.ts';
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
    // Counted immediately, because simultaneous guesses must not exceed the limit.
    limit.recordFailure(address);
    return undefined;
  };
}

interface PasswordLogin {
  /** The client's address. */
  readonly address: string;
  readonly userId: string;
  readonly password: string;
  /** Undefined for a user who does not exist or has no password. */
  readonly passwordHash: string | undefined;
}

/** Keeps one of libuv's four threads free, for example for name lookups. */
const MAX_CONCURRENT_HASHES = 3;
const MAX_REMEMBERED = 10_000;
/** About ten seconds of hashing. Further logins are rejected and can be retried later. */
const MAX_WAITING = 200;

/**
 * Verifies passwords and remembers the correct ones: clients that use Basic send the password with each request, and
 * scrypt takes 200 ms. The values it stores are useless outside this process.
 *
 * `beforeHashing` runs right before an unknown password is hashed; if it throws, the check ends. A login for a user
 * without a hash takes equally long, so the time does not reveal which users exist.
 */
export function createCheckPassword() {
  const processKey = randomBytes(32);
  const remembered = new Set<string>();
  const checking = new Map<string, Promise<boolean>>();
  const limited = limitConcurrency(MAX_CONCURRENT_HASHES);
  let decoyHash: Promise<string> | undefined;

  async function verify(login: PasswordLogin, beforeHashing: () => void): Promise<boolean> {
    return limited(async () => {
      beforeHashing();
      if (login.passwordHash !== undefined) {
        return verifyPassword(login.password, login.passwordHash);
      }
      decoyHash ??= hashPassword(randomBytes(16).toString('hex'));
      await verifyPassword(login.password, await decoyHash);
      return false;
    });
  }

  return async (login: PasswordLogin, beforeHashing: () => void): Promise<boolean> => {
    const key = createHmac('sha256', processKey)
      .update(JSON.stringify([login.userId, login.passwordHash, login.password]))
      .digest('base64');
    if (remembered.has(key)) return true;
    // Simultaneous requests from one client share one verification.
    const flight = `${key} ${login.address}`;
    const known = checking.get(flight);
    if (known === undefined && checking.size >= MAX_WAITING) {
      throw new Unavailable('too many concurrent logins');
    }
    const check = known ?? verify(login, beforeHashing).finally(() => checking.delete(flight));
    if (known === undefined) checking.set(flight, check);
    const isRight = await check;
    if (isRight) remember(remembered, key);
    return isRight;
  };
}

function remember(remembered: Set<string>, key: string): void {
  remembered.add(key);
  const [oldest] = remembered;
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
