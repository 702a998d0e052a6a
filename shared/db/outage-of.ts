import { Unavailable } from '../domain/errors.ts';
import { classifyTlsFailure } from '../net/tls/classify-tls-failure.ts';
import { findDatabaseRemedy } from './database-remedy.ts';

/**
 * Connection exception, invalid authorization, missing database, out of resources, operator intervention, system
 * error.
 */
const outageClasses = /^(?:08|28|3D|53|57|58)/;
/**
 * Unknown schema, table, column or function: the definition of an entity type, or a new version of Annals, reached
 * this process before the projector changed the read model.
 */
const notYetProjected: ReadonlySet<string> = new Set(['3F000', '42P01', '42703', '42883']);
const UNDEFINED_TABLE = '42P01';
/** Serialization failure, deadlock, lock not available: a retry can succeed. */
const transient: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);
/** A prepared statement already exists or is missing: a pooler reuses connections without tracking statement names. */
const statementMismatches: ReadonlySet<string> = new Set(['26000', '42P05']);
const networkCodes = /^E(?:CONN|TIMEDOUT|PIPE|HOST|NET|NOTFOUND|AI_)/;
/** node-postgres does not set a code for these errors. */
const driverMessages =
  /^(?:timeout expired|timeout exceeded when trying to connect|connection terminated|query read timeout|client has encountered|client was closed|the server does not support ssl|there was an error establishing an ssl|sasl: )/i;

/** Returns the outage that a driver error indicates; undefined if the error is a bug. */
export function outageOf(error: unknown): Unavailable | undefined {
  const code = sqlStateOf(error);
  if (notYetProjected.has(code)) {
    return new Unavailable('The read model is being prepared.', { cause: error });
  }
  if (statementMismatches.has(code)) {
    return new Unavailable('The database is not available.', {
      cause: error,
      remedy:
        'a pooler at DATABASE_URL loses prepared statements: set DATABASE_NAMED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 or later',
    });
  }
  const message = error instanceof Error ? error.message : '';
  const isOutage =
    outageClasses.test(code) ||
    transient.has(code) ||
    networkCodes.test(code) ||
    classifyTlsFailure(code) !== undefined ||
    driverMessages.test(message);
  if (!isOutage) return undefined;
  const remedy = findDatabaseRemedy(error);
  return new Unavailable('The database is not available.', { cause: error, remedy });
}

/** Returns the outage that a driver error indicates, or the error itself. Used for logs, which throttle outages. */
export function orOutage(error: unknown): unknown {
  return outageOf(error) ?? error;
}

/** Returns the SQLSTATE, or the operating system's code for a network error; '' for anything else. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Returns the result of a query, or `other` if its table does not exist. */
export async function orWithoutTable<Answer, Other>(
  query: Promise<Answer>,
  other: Other,
): Promise<Answer | Other> {
  try {
    return await query;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return other;
    throw error;
  }
}

/** Runs a query, and converts errors that indicate an outage to Unavailable. */
export async function orUnavailable<Answer>(query: Promise<Answer>): Promise<Answer> {
  try {
    return await query;
  } catch (error) {
    throw orOutage(error);
  }
}
