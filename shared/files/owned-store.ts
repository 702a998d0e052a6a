import { orUnavailable } from '../db/outage-of.ts';
import type { Queryable } from '../db/pool.ts';
import { fileSchema, liveTable } from '../db/tables/read-model-names.ts';
import { Unavailable } from '../domain/errors.ts';
import { attachmentType } from '../domain/field/types/file/file-parts.ts';
import { readMark } from '../installation/mark-table.ts';
import type { ExternalStore, PutFile } from './file-store.ts';
import { claimUpload } from './upload-claims.ts';

/** The note that names the installation to which a store belongs. */
const ownerNote = 'installation';

/**
 * Returns a function that stores files if the store belongs to the installation. The first upload marks an unmarked
 * store. Without the mark, a typing error in the name of the bucket, or a file system that is not mounted, would divide
 * the files between two places, and the collection of unused files in a shared bucket would delete the files of another
 * installation.
 */
export function createPutIntoStore(store: ExternalStore, db: Queryable): PutFile {
  let own: string | undefined;
  return async (file) => {
    // Each time, because a directory can be unmounted while this process runs.
    const isOwn = own !== undefined && (await findStoreOwner(store)) === own;
    if (!isOwn) own = await requireOwner(store, db);
    await claimUpload(db, file.sha256);
    await store.put(file);
  };
}

/**
 * Marks an unmarked store, and returns the id of the installation. Throws Unavailable if the store belongs to another
 * installation, or lacks files.
 */
export async function requireOwner(store: ExternalStore, db: Queryable): Promise<string> {
  const own = (await orUnavailable(readMark(db)))?.installationId;
  if (own === undefined) throw new Unavailable('The installation has no mark in Postgres yet.');
  const isMarked = (await findStoreOwner(store)) !== undefined;
  if (!isMarked && (await hasFilesOutsideTheLog(db))) throw wrongStore(store);
  await claimStore(store, own);
  return own;
}

/** Marks an unmarked store with the installation. Throws Unavailable if it belongs to another one. */
export async function claimStore(store: ExternalStore, installationId: string): Promise<void> {
  if ((await findStoreOwner(store)) === undefined)
    await store.notes.write(ownerNote, Buffer.from(installationId));
  // Two installations may mark it at the same time. The last one wins.
  const owner = await findStoreOwner(store);
  if (owner !== installationId) throw foreign(store, owner ?? 'unknown');
}

/** Returns the id of the installation to which the store belongs; undefined if no file has been stored in it. */
export async function findStoreOwner({ notes }: ExternalStore): Promise<string | undefined> {
  return (await notes.read(ownerNote))?.toString();
}

/** Returns true if a record that is older than a minute names a file of which the log has no byte. */
export async function hasFilesOutsideTheLog(db: Queryable): Promise<boolean> {
  const text = `
    select 1 from ${liveTable(attachmentType)} a
    where a.size > 0 and a.created_at < (now() at time zone 'UTC') - interval '1 minute'
      and not exists (select from ${fileSchema}.chunks c where c.sha256 = a.sha256)
    limit 1`;
  const { rows } = await orUnavailable(db.query({ text, values: [] }));
  return rows.length > 0;
}

function foreign({ name }: ExternalStore, installationId: string): Unavailable {
  return new Unavailable('The file store belongs to another installation.', {
    remedy: `${name} belongs to the installation ${installationId}: set FILES_STORE to another bucket, prefix or directory`,
  });
}

function wrongStore({ name }: ExternalStore): Unavailable {
  return new Unavailable('The file store lacks the files of this installation.', {
    remedy: `${name} has not been used by this installation, but its files are in a store: correct FILES_STORE, or mount the directory`,
  });
}
