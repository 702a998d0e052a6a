import pg from 'pg';
import { outageOf } from '../../shared/db/outage-of.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Describes an error from Postgres in a sentence. Returns undefined for errors that are bugs. */
export function describePostgresError(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) {
    return `Postgres denies permission (${error.message}): set DATABASE_URL to the user of the services.`;
  }
  const outage = outageOf(error);
  if (outage === undefined) return undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return `${outage.message} (${reason}) Run annals doctor to find the cause.`;
}
