import type { QueryResult, QueryResultRow } from 'pg';
import { hasTable } from '../db/find-tables.ts';

/** A successful or failed sign-in with a password, token or key. */
export interface SignIn {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** As sent by the client; null for keys, because a wrong key identifies no user. */
  readonly userName: string | null;
  /** Null if the user does not exist. */
  readonly userId: string | null;
  readonly method: SignInMethod;
  /** The client's address. */
  readonly address: string;
  /** An error code; null for a successful sign-in. */
  readonly reason: string | null;
  /** The id of the request's trace. */
  readonly requestId: string | null;
}

export const signInMethods = ['password', 'token', 'key', 'hmac', 'oidc'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** A connection or a pool of connections. */
export interface AccessDatabase {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

/** The schema of the sign-in audit. It is not part of the read model, so rebuilds do not touch it (docs/adr/0035). */
export const auditSchema = 'annals_audit';

/** An arbitrary number, identical in every process, so that only one at a time creates the tables. */
const LOCK = 0x61756474;

export async function ensureAccessTables(database: AccessDatabase): Promise<void> {
  if (await hasAccessTables(database)) return;
  // Sent as a single message, so it runs in a single transaction.
  await database.query(`
    select pg_advisory_xact_lock(${LOCK});
    create schema if not exists ${auditSchema};
    create table if not exists ${auditSchema}.sign_ins (
      id bigint generated always as identity primary key,
      at_ms bigint not null,
      -- As sent by the client; null for keys, because a wrong key identifies no user.
      user_name text,
      user_id text,
      method text not null,
      address text not null,
      -- An error code; null for a successful sign-in.
      reason text,
      -- The number of identical sign-ins within seconds.
      attempts integer not null,
      request_id text
    );
    create index if not exists sign_ins_at on ${auditSchema}.sign_ins (at_ms desc, id desc);
    -- When a user last authenticated with a key.
    create table if not exists ${auditSchema}.key_uses (
      user_id text primary key,
      used_at_ms bigint not null
    )`);
}

/** Returns true if the tables exist. They are created before the first row is stored. */
export function hasAccessTables(database: AccessDatabase): Promise<boolean> {
  return hasTable(database, `${auditSchema}.key_uses`);
}
