import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

describe('a password hash', () => {
  it('matches only its password', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^scrypt\$N=16384,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/);
    await expect(verifyPassword('correct horse', hash)).resolves.toBe(true);
    await expect(verifyPassword('Correct horse', hash)).resolves.toBe(false);
    await expect(verifyPassword('', hash)).resolves.toBe(false);
  });

  it('differs each time for the same password', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  it('matches a test vector of RFC 7914', async () => {
    const hash =
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640';
    const salt = Buffer.from('NaCl').toString('base64url');
    const text = `scrypt$N=1024,r=8,p=16$${salt}$${Buffer.from(hash, 'hex').toString('base64url')}`;
    await expect(verifyPassword('password', text)).resolves.toBe(true);
    await expect(verifyPassword('passwore', text)).resolves.toBe(false);
  });

  it('throws if its format is unknown', async () => {
    await expect(verifyPassword('x', 'md5$abc')).rejects.toThrow(/unknown password hash format/);
  });
});
