import { judgeTlsFailure, type TlsFailure } from '../net/tls/judge-tls-failure.ts';

const certificates: Readonly<Record<TlsFailure, string>> = {
  untrusted: 'name the certificate of the authority of Postgres in sslrootcert of DATABASE_URL',
  misnamed: 'name the host in DATABASE_URL as the certificate of Postgres does',
  outdated: 'renew the certificate of Postgres, or set the clocks',
  refused: 'correct sslmode in DATABASE_URL, or the TLS versions and ciphers of Postgres',
};

const bySqlState: Readonly<Record<string, string>> = {
  '28P01':
    'correct the user and the password in DATABASE_URL, or the password of that user in Postgres',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '53300': 'raise max_connections of Postgres, or run fewer processes',
  ENOTFOUND: 'correct the host in DATABASE_URL',
};

/** By the text of the error: the driver gives these no code, or Postgres one code to several causes. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [
    /no pg_hba.conf entry .*(?:no encryption|SSL off)/i,
    'add sslmode=require to DATABASE_URL if Postgres requires TLS, or allow this host in pg_hba.conf',
  ],
  [/no pg_hba.conf entry/i, 'allow this host, user and database in pg_hba.conf'],
  [
    /^role .* (?:does not exist|is not permitted to log in)/i,
    'create the user in Postgres, with the right to log in, or correct it in DATABASE_URL',
  ],
  [
    /server does not support ssl/i,
    'remove sslmode from DATABASE_URL, or switch on ssl in Postgres',
  ],
  [/^SASL: .*password/i, 'add the password of the user to DATABASE_URL'],
];

/** What an operator has to change before Postgres lets this process in. Undefined if waiting may be enough. */
export function findDatabaseRemedy(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError) {
    return error.errors.map(findDatabaseRemedy).find((remedy) => remedy !== undefined);
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const tlsFailure = judgeTlsFailure(code);
  if (tlsFailure !== undefined) return certificates[tlsFailure];
  return bySqlState[code] ?? byMessage.find(([form]) => form.test(error.message))?.[1];
}
