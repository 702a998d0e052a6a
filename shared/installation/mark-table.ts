import type { ClientBase, QueryResultRow } from 'pg';
import { orUnavailable, sqlStateOf } from '../db/outage-of.ts';
import { loadPositionsSoFar, type ProjectedPosition } from '../db/positions.ts';
import { decodeMark, encodeMark, type Mark } from './mark.ts';

/** Outside of the read model, which rebuilds replace. */
const schema = 'annals_installation';

/** A connection, or a pool of them. */
export interface Database {
  query<R extends QueryResultRow>(statement: {
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: R[] }>;
}

export interface MarkedDatabase {
  readonly mark: Mark | undefined;
  /** How far the read model has come; empty before the first start of a projector. */
  readonly positions: readonly ProjectedPosition[];
}

/** Throws Unavailable. */
export async function readMarkedDatabase(client: ClientBase): Promise<MarkedDatabase> {
  return {
    mark: await orUnavailable(readMark(client)),
    positions: await orUnavailable(loadPositionsSoFar(client)),
  };
}

const UNDEFINED_TABLE = '42P01';

/** Undefined before the first one. */
export async function readMark(database: Database): Promise<Mark | undefined> {
  try {
    const text = `select mark from ${schema}.marks`;
    const { rows } = await database.query<{ mark: string }>({ text, values: [] });
    return rows[0] === undefined ? undefined : decodeMark(Buffer.from(rows[0].mark));
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

/** An arbitrary number, the same in every process: several processes may create the table at once. */
const TABLE_LOCK = 0x616e6e63;

/** Throws Unavailable. An older mark never replaces a newer one. */
export async function storeMark(client: ClientBase, mark: Mark): Promise<void> {
  await orUnavailable(
    client.query(`
      begin;
      select pg_advisory_xact_lock(${TABLE_LOCK});
      create schema if not exists ${schema};
      create table if not exists ${schema}.marks (
        is_only boolean primary key default true check (is_only),
        revision bigint not null,
        mark text not null
      );
      commit`),
  );
  await orUnavailable(
    client.query(
      `insert into ${schema}.marks as known (revision, mark) values ($1, $2)
       on conflict (is_only) do update set revision = excluded.revision, mark = excluded.mark
       where known.revision < excluded.revision`,
      [mark.revision, String(encodeMark(mark))],
    ),
  );
}

/** Called before a mark that does not follow the one in the table. Throws Unavailable. */
export async function forgetMark(client: ClientBase): Promise<void> {
  await orUnavailable(client.query(`drop schema if exists ${schema} cascade`));
}
