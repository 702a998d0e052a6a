import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * 16 MiB and five passes, one of the equivalent settings that OWASP lists. They use little enough memory for several
 * hashes in parallel.
 */
const cost: Cost = { N: 2 ** 14, r: 8, p: 5 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const form = /^scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/**
 * Returns `scrypt$N=…,r=…,p=…$salt$hash`. The cost is stored with the hash, so that it can be raised without
 * invalidating older hashes.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { cost, length: HASH_BYTES });
  const { N, r, p } = cost;
  return `scrypt$N=${N},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** Throws for a hash in another format, because this is a defect in the directory, not a wrong password. */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [, N, r, p, salt, hash] = form.exec(passwordHash) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('unknown password hash format');
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    length: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function derive(
  password: string,
  salt: Buffer,
  { cost: { N, r, p }, length }: { readonly cost: Cost; readonly length: number },
): Promise<Buffer> {
  // Node rejects parameters that need more than maxmem, 32 MiB by default; scrypt needs 128 · N · r bytes.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return runScrypt(password.normalize('NFC'), salt, length, options);
}
