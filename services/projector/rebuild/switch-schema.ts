import type { Client } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { quarantineChannel } from '../../../shared/db/quarantine.ts';
import {
  formerSchemaPrefix,
  liveSchema,
  projectedChannel,
  quoteName,
  rebuildSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import { noticeOf } from '../consume/batch-statement.ts';

/**
 * Replaces the live schema with the rebuilt one, in one transaction. It locks the positions of the live schema, so that
 * projectors wait while `catchUp` brings the rebuilt schema to the end of the log. The new schema is therefore never
 * behind positions that were announced for the old one. A waiting projector then continues its statement on the old
 * tables, which have been renamed. Their positions no longer match, so it stores nothing and loads the positions again.
 * Returns the new name of the former schema; undefined if none existed.
 */
export function switchSchema(
  client: Client,
  { catchUp, now }: { readonly catchUp: () => Promise<void>; readonly now: Date },
): Promise<string | undefined> {
  return inTransaction(client, async () => {
    const hasLive = await holdPositions(client);
    await catchUp();
    const former = hasLive ? await retire(client, now) : undefined;
    await client.query(`alter schema ${rebuildSchema} rename to ${liveSchema}`);
    const notice = noticeOf(await loadPositions(client));
    await client.query('select pg_notify($1, $2)', [quarantineChannel, JSON.stringify('reload')]);
    await client.query('select pg_notify($1, $2)', [projectedChannel, JSON.stringify(notice)]);
    return former;
  });
}

/** Locks the positions of the live schema. Returns false if no live schema exists. */
async function holdPositions(client: Client): Promise<boolean> {
  if (await hasTable(client, `${liveSchema}.positions`)) {
    await client.query(`lock table ${liveSchema}.positions in exclusive mode`);
  }
  return hasLiveSchema(client);
}

async function retire(client: Client, now: Date): Promise<string> {
  if (await hasTable(client, `${liveSchema}.positions`)) {
    await client.query(invertPositions(liveSchema));
  }
  const time = now.toISOString().replace(/\D/g, '').slice(0, 17);
  const former = `${formerSchemaPrefix}${time}`;
  await client.query(`alter schema ${liveSchema} rename to ${quoteName(former)}`);
  return former;
}

/** Returns SQL that makes every compare-and-set of a position fail. Running it again restores the positions. */
function invertPositions(schema: string): string {
  return `update ${quoteName(schema)}.positions set next_offset = -1 - next_offset`;
}

/** Turns a former schema into the rebuilt one, which the next switch makes live. */
export function reviveSchema(client: Client, former: string): Promise<void> {
  return inTransaction(client, async () => {
    await client.query(`drop schema if exists ${rebuildSchema} cascade`);
    await client.query(`alter schema ${quoteName(former)} rename to ${rebuildSchema}`);
    await client.query(invertPositions(rebuildSchema));
  });
}

/** Former schemas, newest first. */
export async function formerSchemas(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select schema_name as name from information_schema.schemata
     where schema_name like $1 order by schema_name desc`,
    [`${formerSchemaPrefix.replaceAll('_', '\\_')}%`],
  );
  return rows.map(({ name }) => name);
}

export async function hasLiveSchema(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from information_schema.schemata where schema_name = $1',
    [liveSchema],
  );
  return rowCount === 1;
}
