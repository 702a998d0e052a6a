import { createHmac, randomBytes } from 'node:crypto';
import { Unavailable } from '../../domain/errors.ts';
import { limitConcurrency } from '../../runtime/limit-concurrency.ts';
import { hashPassword, verifyPassword } from '../../secrets/password-hash.ts';

interface PasswordLogin {
  /** The client's address. */
  readonly address: string;
  readonly userId: string;
  readonly password: string;
  /** Undefined for a user that does not exist or has no password. */
  readonly passwordHash: string | undefined;
}

/** One of libuv's four threads stays free for the rest of the process, for example to look up names. */
const MAX_HASHING_AT_ONCE = 3;
const MAX_REMEMBERED = 10_000;
/** Some ten seconds of hashing. Further logins are refused, and can be repeated later. */
const MAX_WAITING = 200;

/**
 * Verifies passwords, and remembers the right ones: clients with Basic send the password with each request, and scrypt
 * takes a fifth of a second. What is remembered is useless outside of this process.
 *
 * `beforeHashing` runs right before an unknown password is hashed; an error that it throws ends the check. A login of a
 * user without a hash takes as long as any other, so that the time does not reveal which users exist.
 */
export function createCheckPassword() {
  const processKey = randomBytes(32);
  const remembered = new Set<string>();
  const checking = new Map<string, Promise<boolean>>();
  const limited = limitConcurrency(MAX_HASHING_AT_ONCE);
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
    // Simultaneous requests of one client share one verification.
    const flight = `${key} ${login.address}`;
    const known = checking.get(flight);
    if (known === undefined && checking.size >= MAX_WAITING) {
      throw new Unavailable('too many logins at once');
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
