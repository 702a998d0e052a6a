import type { ClientBase } from 'pg';
import { inTransaction } from '../db/in-transaction.ts';
import { orUnavailable } from '../db/outage-of.ts';
import type { Queryable } from '../db/pool.ts';
import { fileSchema } from '../db/tables/read-model-names.ts';

/**
 * The times of uploads into the file store, in Postgres. They keep a collection from deleting bytes that an upload has
 * just stored, or found, and whose record is not in the log yet.
 */
export const uploadClaims = `
  create table if not exists ${fileSchema}.uploads (
    sha256 text primary key,
    at timestamptz not null
  );`;

/** Waits until a collection that is deleting this file has ended. Called before the bytes are stored. */
export async function claimUpload(db: Queryable, sha256: string): Promise<void> {
  await orUnavailable(
    db.query({
      name: 'claim-upload',
      text: `insert into ${fileSchema}.uploads (sha256, at) values ($1, now())
             on conflict (sha256) do update set at = now()`,
      values: [sha256],
    }),
  );
}

/**
 * Deletes a file unless an upload has claimed it since `before`. Uploads of this file wait meanwhile. Returns whether it
 * was deleted.
 */
export async function deleteUnclaimed(
  client: ClientBase,
  { sha256, before }: { readonly sha256: string; readonly before: Date },
  deleteFile: () => Promise<void>,
): Promise<boolean> {
  return inTransaction(client, async () => {
    const { rowCount } = await client.query(
      `insert into ${fileSchema}.uploads as known (sha256, at) values ($1, '-infinity')
       on conflict (sha256) do update set at = '-infinity' where known.at < $2`,
      [sha256, before],
    );
    if (rowCount === 0) return false;
    await deleteFile();
    await client.query(`delete from ${fileSchema}.uploads where sha256 = $1`, [sha256]);
    return true;
  });
}

export async function forgetClaims(client: ClientBase, before: Date): Promise<void> {
  await client.query(`delete from ${fileSchema}.uploads where at < $1`, [before]);
}
