import { expect, it } from 'vitest';
import { readSessionUrl } from './database-url.ts';
import { readEnv } from './env.ts';

const problemsOf = (query: string): string => {
  const read = readEnv({ DATABASE_URL: `postgres://annals:secret@db:5432/annals?${query}` });
  readSessionUrl(read);
  try {
    read.done();
  } catch (error) {
    return String(error);
  }
  return '';
};

it('accepts every setting that the driver supports', () => {
  const file = import.meta.filename;
  expect(problemsOf('')).toBe('');
  expect(problemsOf(`sslmode=verify-full&sslrootcert=${file}`)).toBe('');
  expect(problemsOf(`sslmode=no-verify&sslcert=${file}&sslkey=${file}`)).toBe('');
});

it('reports settings that would break the first query without showing the password', () => {
  const found = problemsOf('sslmode=verify&sslrootcert=/nowhere/ca.pem&sslkey=/nowhere/key.pem');
  expect(found).toContain(
    "sslmode in DATABASE_URL must be one of disable, no-verify, prefer, require, verify-ca, verify-full, got 'verify'",
  );
  expect(found).toContain(
    'DATABASE_URL names sslrootcert=/nowhere/ca.pem, which cannot be read (ENOENT)',
  );
  expect(found).toContain('DATABASE_URL names sslkey=/nowhere/key.pem');
  expect(found).not.toContain('secret');
});
