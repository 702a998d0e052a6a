import type { QueryResult, QueryResultRow } from 'pg';
import { hasTable } from '../db/find-tables.ts';

/** A connection, or a pool of them. */
export interface AccessDatabase {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

/** The schema of who came in: no table of the read model, so a rebuild leaves it alone (docs/adr/0035). */
export const auditSchema = 'annals_audit';

/** An arbitrary number, the same in every process: only one at a time creates the tables. */
const LOCK = 0x61756474;

/** Creates what is missing. */
export async function ensureAccessTables(database: AccessDatabase): Promise<void> {
  if (await hasAccessTables(database)) return;
  // One message, and so one transaction.
  await database.query(`
    select pg_advisory_xact_lock(${LOCK});
    create schema if not exists ${auditSchema};
    create table if not exists ${auditSchema}.sign_ins (
      id bigint generated always as identity primary key,
      at_ms bigint not null,
      -- As it was sent; null for a key, which names nobody if it is wrong.
      user_name text,
      user_id text,
      method text not null,
      address text not null,
      -- An error code; null for one that was let in.
      reason text,
      -- How many within seconds were just like this one.
      attempts integer not null,
      request_id text
    );
    create index if not exists sign_ins_at on ${auditSchema}.sign_ins (at_ms desc, id desc);
    -- When a user last proved a key.
    create table if not exists ${auditSchema}.key_uses (
      user_id text primary key,
      used_at_ms bigint not null
    )`);
}

/** They come with the first thing to store. */
export function hasAccessTables(database: AccessDatabase): Promise<boolean> {
  return hasTable(database, `${auditSchema}.key_uses`);
}
