import { accessSync, constants } from 'node:fs';
import type { EnvReader } from './env.ts';

/** docs/operations/install.md says what node-postgres makes of each. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const sslFiles = ['sslrootcert', 'sslcert', 'sslkey'];

export function readDatabaseUrl(read: EnvReader): string {
  return judgeDatabaseUrl(read, read.secret('DATABASE_URL')) ?? '';
}

/** What is wrong with it the driver would only find out with the first query. An empty one was reported before. */
export function judgeDatabaseUrl(read: EnvReader, url: string | undefined): string | undefined {
  for (const problem of url ? findProblems(url) : []) read.problem(problem);
  return url;
}

function findProblems(url: string): readonly string[] {
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    return [
      'DATABASE_URL must be an address of the form postgres://user:password@host:port/database',
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
      : [`DATABASE_URL names ${name}=${path}, which cannot be read (${obstacle})`];
  });
  return isKnown
    ? problems
    : [`sslmode in DATABASE_URL must be one of ${sslModes.join(', ')}, got '${mode}'`, ...problems];
}

function findObstacle(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  }
}
