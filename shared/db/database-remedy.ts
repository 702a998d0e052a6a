import { classifyTlsFailure, type TlsFailure } from '../net/tls/classify-tls-failure.ts';

const certificates: Readonly<Record<TlsFailure, string>> = {
  untrusted: 'set sslrootcert in DATABASE_URL to the certificate of the authority of Postgres',
  misnamed: 'use the host name in the certificate of Postgres in DATABASE_URL',
  outdated: 'renew the certificate of Postgres, or correct the clocks',
  refused: 'correct sslmode in DATABASE_URL, or the TLS versions and ciphers of Postgres',
};

const bySqlState: Readonly<Record<string, string>> = {
  '28P01':
    'correct the user and the password in DATABASE_URL, or the password of that user in Postgres',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '53300': 'raise max_connections of Postgres, or run fewer processes',
  ENOTFOUND: 'correct the host in DATABASE_URL',
};

/**
 * Keyed by error message, because the driver sets no code for these errors, or Postgres uses the same code for several
 * causes.
 */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [
    /no pg_hba.conf entry .*(?:no encryption|SSL off)/i,
    'add sslmode=require to DATABASE_URL if Postgres requires TLS, or allow this host in pg_hba.conf',
  ],
  [/no pg_hba.conf entry/i, 'allow this host, user and database in pg_hba.conf'],
  [
    /^role .* (?:does not exist|is not permitted to log in)/i,
    'create the user in Postgres with the LOGIN attribute, or correct it in DATABASE_URL',
  ],
  [/server does not support ssl/i, 'remove sslmode from DATABASE_URL, or enable ssl in Postgres'],
  [/^SASL: .*password/i, 'add the password of the user to DATABASE_URL'],
];

/** Returns what an operator has to change before this process can connect; undefined if waiting may be enough. */
export function findDatabaseRemedy(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError) {
    return error.errors.map(findDatabaseRemedy).find((remedy) => remedy !== undefined);
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const tlsFailure = classifyTlsFailure(code);
  if (tlsFailure !== undefined) return certificates[tlsFailure];
  return bySqlState[code] ?? byMessage.find(([form]) => form.test(error.message))?.[1];
}
