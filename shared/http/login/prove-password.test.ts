import { beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../../domain/errors.ts';
import { hashPassword } from '../../secrets/password-hash.ts';
import { createCheckPassword } from './prove-password.ts';

describe('checking passwords', { timeout: 30_000 }, () => {
  let passwordHash = '';
  beforeAll(async () => {
    passwordHash = await hashPassword('right');
  });

  const counted = () => {
    let hashed = 0;
    const beforeHashing = () => {
      hashed += 1;
    };
    return { count: () => hashed, beforeHashing };
  };
  const login = (password: string, hash: string | undefined = passwordHash) => ({
    address: 'a',
    userId: 'u',
    password,
    passwordHash: hash,
  });

  it('hashes a correct password once and a wrong password each time', async () => {
    const check = createCheckPassword();
    const { count, beforeHashing } = counted();
    expect(await check(login('right'), beforeHashing)).toBe(true);
    expect(await check(login('right'), beforeHashing)).toBe(true);
    expect(count()).toBe(1);
    expect(await check(login('wrong'), beforeHashing)).toBe(false);
    expect(await check(login('wrong'), beforeHashing)).toBe(false);
    expect(count()).toBe(3);
  });

  it('hashes once for simultaneous requests', async () => {
    const check = createCheckPassword();
    const { count, beforeHashing } = counted();
    const checks = Array.from({ length: 20 }, () => check(login('right'), beforeHashing));
    expect(await Promise.all(checks)).toEqual(Array.from({ length: 20 }, () => true));
    expect(count()).toBe(1);
  });

  it('verifies a remembered password again when the hash changes', async () => {
    const check = createCheckPassword();
    const { beforeHashing } = counted();
    expect(await check(login('right'), beforeHashing)).toBe(true);
    expect(await check(login('right', await hashPassword('new')), beforeHashing)).toBe(false);
  });

  it('hashes the password even for users without a stored hash', async () => {
    const check = createCheckPassword();
    const { count, beforeHashing } = counted();
    const unknown = { address: 'a', userId: '', password: 'right', passwordHash: undefined };
    expect(await check(unknown, beforeHashing)).toBe(false);
    expect(count()).toBe(1);
  });

  it('rejects further logins while 200 logins are waiting', async () => {
    const check = createCheckPassword();
    const cheap = `scrypt$N=16,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const waiting = Array.from({ length: 200 }, (_, index) =>
      check(login(`guess ${index}`, cheap), () => {}),
    );
    await expect(check(login('one more', cheap), () => {})).rejects.toThrow(Unavailable);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([false]));
    expect(await check(login('one more', cheap), () => {})).toBe(false);
  });

  it('fails if the limit is exceeded while the login waits', async () => {
    const check = createCheckPassword();
    const refuse = () => {
      throw new Error('limited');
    };
    await expect(check(login('right'), refuse)).rejects.toThrow('limited');
    expect(await check(login('right'), () => {})).toBe(true);
  });
});
