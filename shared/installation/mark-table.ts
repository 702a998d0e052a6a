import type { ClientBase } from 'pg';
import { orUnavailable, orWithoutTable } from '../db/outage-of.ts';
import type { Queryable } from '../db/pool.ts';
import { loadPositionsSoFar } from '../db/positions.ts';
import { decodeMark, encodeMark, type Mark } from './mark.ts';

/** A separate schema, because rebuilds replace the schema of the read model. */
const schema = 'annals_installation';

/**
 * Reads the mark and the read model's positions; both are empty until a projector starts for the first time. Throws
 * Unavailable.
 */
export async function readMarkedDatabase(client: ClientBase) {
  return {
    mark: await orUnavailable(readMark(client)),
    positions: await orUnavailable(loadPositionsSoFar(client)),
  };
}

/** Returns undefined before the first mark. */
export async function readMark(database: Queryable): Promise<Mark | undefined> {
  const text = `select mark from ${schema}.marks`;
  const query = database.query<{ mark: string }>({ text, values: [] });
  const [row] = (await orWithoutTable(query, undefined))?.rows ?? [];
  return row && decodeMark(Buffer.from(row.mark));
}

/** An arbitrary number, identical in every process: several processes may create the table concurrently. */
const TABLE_LOCK = 0x616e6e63;

/** Stores a mark unless the table already has a newer one. Throws Unavailable. */
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

/** Removes the stored mark. Called before storing a mark that is not its successor. Throws Unavailable. */
export async function forgetMark(client: ClientBase): Promise<void> {
  await orUnavailable(client.query(`drop schema if exists ${schema} cascade`));
}
