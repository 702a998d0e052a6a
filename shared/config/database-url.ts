import { accessSync, constants } from 'node:fs';
import type { EnvReader } from './env.ts';

/** docs/operations/install.md says what node-postgres makes of each. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const sslFiles = ['sslrootcert', 'sslcert', 'sslkey'];

export function readDatabaseUrl(read: EnvReader): string {
  const url = read.secret('DATABASE_URL');
  for (const problem of findSslProblems(url)) read.problem(problem);
  return url;
}

/** What is wrong with the TLS parameters of DATABASE_URL. The driver would only find out with the first query. */
export function findSslProblems(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
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
