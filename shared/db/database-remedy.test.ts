import { expect, it } from 'vitest';
import { findDatabaseRemedy } from './database-remedy.ts';

const errorOf = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

it.each([
  ['password authentication failed for user "a"', '28P01', 'the password in DATABASE_URL'],
  ['role "a" does not exist', '28000', 'create the user'],
  ['role "a" is not permitted to log in', '28000', 'LOGIN attribute'],
  [
    'no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption',
    '28000',
    'sslmode=require',
  ],
  [
    'no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", SSL encryption',
    '28000',
    'pg_hba.conf',
  ],
  ['database "b" does not exist', '3D000', 'create the database'],
  ['sorry, too many clients already', '53300', 'max_connections'],
  ['The server does not support SSL connections', undefined, 'remove sslmode'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'sslrootcert'],
  ['getaddrinfo ENOTFOUND nowhere', 'ENOTFOUND', 'correct the host'],
  [
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    undefined,
    'add the password',
  ],
])('returns the remedy for %s', (message, code, remedy) => {
  expect(findDatabaseRemedy(errorOf(message, code))).toContain(remedy);
});

it.each([
  ['the database system is starting up', '57P03'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'],
  ['timeout expired', undefined],
])('returns no remedy for %s because waiting may be enough', (message, code) => {
  expect(findDatabaseRemedy(errorOf(message, code))).toBeUndefined();
});
