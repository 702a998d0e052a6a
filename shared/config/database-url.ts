import { accessSync, constants } from 'node:fs';
import type { EnvReader } from './env.ts';

/** docs/operations/install.md documents how node-postgres interprets each mode. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const sslFiles = ['sslrootcert', 'sslcert', 'sslkey'];

export interface DatabaseSettings {
  /** The address of Postgres itself, for sessions that use LISTEN, locks or time limits. */
  readonly databaseUrl: string;
  /** The address of a streaming replica, for reads. */
  readonly readUrl: string | undefined;
  /** The address for statements that can run on any connection, for example through a pooler. */
  readonly statements: StatementSettings;
}

interface StatementSettings {
  readonly url: string;
  /** True if statements are prepared once per connection. A pooler must then support named statements. */
  readonly areNamed: boolean;
}

export function readDatabase(read: EnvReader): DatabaseSettings {
  return {
    databaseUrl: readSessionUrl(read),
    readUrl:
      validate(read, 'DATABASE_READ_URL', read.optionalSecret('DATABASE_READ_URL')) || undefined,
    statements: {
      url: validate(read, 'DATABASE_URL', read.secret('DATABASE_URL')) ?? '',
      areNamed: read.boolean('DATABASE_NAMED_STATEMENTS', true),
    },
  };
}

/** Returns the address for processes that only use sessions. */
export function readSessionUrl(read: EnvReader): string {
  const direct = read.optionalSecret('DATABASE_SESSION_URL');
  if (direct) return validate(read, 'DATABASE_SESSION_URL', direct) ?? '';
  return validate(read, 'DATABASE_URL', read.secret('DATABASE_URL')) ?? '';
}

/** The variables with the primary's address. */
export const databaseNames = ['DATABASE_SESSION_URL', 'DATABASE_URL'] as const;

/** An address and the variable that contains it. */
export interface NamedUrl {
  readonly name: (typeof databaseNames)[number];
  readonly url: string;
}

/** Like readSessionUrl, but returns undefined if no address is set. */
export function findSessionUrl(read: EnvReader): NamedUrl | undefined {
  const direct = validate(
    read,
    'DATABASE_SESSION_URL',
    read.optionalSecret('DATABASE_SESSION_URL'),
  );
  const url = validate(read, 'DATABASE_URL', read.optionalSecret('DATABASE_URL'));
  if (direct && !url) read.problem('DATABASE_SESSION_URL requires DATABASE_URL');
  if (direct) return { name: 'DATABASE_SESSION_URL', url: direct };
  return url ? { name: 'DATABASE_URL', url } : undefined;
}

/**
 * Reports problems that the driver would detect only at the first query. Empty addresses have been reported already.
 */
function validate(read: EnvReader, name: string, url: string | undefined): string | undefined {
  for (const problem of url ? findProblems(name, url) : []) read.problem(problem);
  return url;
}

function findProblems(variable: string, url: string): readonly string[] {
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    return [
      `${variable} must be an address of the form postgres://user:password@host:port/database`,
    ];
  }
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  const isKnown = mode === null || sslModes.includes(mode);
  const problems = sslFiles.flatMap((name) => {
    const path = searchParams.get(name);
    const obstacle = path === null ? undefined : findObstacle(path);
    return obstacle === undefined
      ? []
      : [`${variable} names ${name}=${path}, which cannot be read (${obstacle})`];
  });
  return isKnown
    ? problems
    : [`sslmode in ${variable} must be one of ${sslModes.join(', ')}, got '${mode}'`, ...problems];
}

function findObstacle(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  }
}
