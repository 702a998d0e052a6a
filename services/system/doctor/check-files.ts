import type { Client } from 'pg';
import type { FileStoreSettings } from '../../../shared/config/file-store-settings.ts';
import { fileSchema, liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { ExternalStore } from '../../../shared/files/file-store.ts';
import { openFileStore } from '../../../shared/files/open-file-store.ts';
import { findStoreOwner } from '../../../shared/files/owned-store.ts';
import { readMark } from '../../../shared/installation/mark-table.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, fault } = findingsAbout('files');

/** The bytes of a file that is younger than this may not be in Postgres yet. */
const UNDER_WAY = "interval '1 minute'";
/** Files that are looked up in the store. `annals verify --files` reads all of them. */
const SAMPLE = 100;

/** Checks that the bytes of files that are not deleted are in Postgres or, with a file store, there. */
export async function checkFiles(
  client: Client,
  { fileStore }: { readonly fileStore: FileStoreSettings | undefined },
): Promise<Finding> {
  const { files, lacking } = await countFiles(client);
  const store = await openFileStore(fileStore);
  if (store !== undefined) {
    try {
      return await checkStore(client, { store, files, lacking });
    } finally {
      store.close();
    }
  }
  if (lacking === 0) return complete(files);
  return fault({
    code: 'files.incomplete',
    says: `Postgres lacks bytes of ${lacking} of ${counted(files, 'file')}, and their downloads get a 503.`,
    remedy:
      'see the log of the projector, which stores them from Kafka; if it has read everything, restore the log; if files were moved to a file store, set FILES_STORE',
    parameters: { lacking, count: files },
  });
}

function complete(files: number): Finding {
  return files === 0
    ? ok({ code: 'files.none', says: 'No files exist yet.' })
    : ok({ code: 'files.complete', says: 'All files are complete.' });
}

const filesOutsideTheLog = `
  from ${liveTable(attachmentType)} f
  left join (
    select sha256, sum(octet_length(content)) as bytes from ${fileSchema}.chunks group by 1
  ) s using (sha256)
  where not f.deleted and f.created_at < (now() at time zone 'UTC') - ${UNDER_WAY}`;

async function countFiles(client: Client) {
  const { rows } = await client.query<{ readonly files: number; readonly lacking: number }>(
    `select count(*)::int as files,
       (count(*) filter (where f.size > coalesce(s.bytes, 0)))::int as lacking
     ${filesOutsideTheLog}`,
  );
  return rows[0] ?? { files: 0, lacking: 0 };
}

async function checkStore(
  client: Client,
  {
    store,
    files,
    lacking,
  }: { readonly store: ExternalStore; readonly files: number; readonly lacking: number },
): Promise<Finding> {
  try {
    const owner = await findStoreOwner(store);
    const mark = await readMark(client);
    if (owner !== undefined && mark !== undefined && owner !== mark.installationId) {
      return fault({
        code: 'files.storeForeign',
        says: `Files are not stored: ${store.name} belongs to the installation ${owner}.`,
        remedy: 'set FILES_STORE to a bucket, prefix or directory for this installation alone',
        parameters: { store: store.name, owner },
      });
    }
    return lacking === 0 ? complete(files) : await checkSample(client, { store, files });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const reason = error.remedy ?? describe(error.cause) ?? error.message;
    return fault({
      code: 'files.storeAway',
      says: `Files cannot be read from or stored in ${store.name} (${reason}).`,
      remedy: 'start the file store, open the network to it, or correct FILES_STORE',
      parameters: { store: store.name, reason },
    });
  }
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message || cause.name : undefined;
}

/** Looks up the newest files that the log lacks. */
async function checkSample(
  client: Client,
  { store, files }: { readonly store: ExternalStore; readonly files: number },
): Promise<Finding> {
  const { rows } = await client.query<{ readonly sha256: string; readonly size: number }>(
    `select f.sha256, f.size::float8 as size ${filesOutsideTheLog}
       and f.size > coalesce(s.bytes, 0)
     order by f.created_at desc limit ${SAMPLE}`,
  );
  let lacking = 0;
  for (const { sha256, size } of rows) if ((await store.sizeOf(sha256)) !== size) lacking += 1;
  if (lacking === 0) return complete(files);
  return fault({
    code: 'files.missing',
    says: `${lacking} of the newest ${rows.length} files are neither in the log nor in ${store.name}, and their downloads get a 503.`,
    remedy:
      'correct FILES_STORE, or restore the file store; annals verify --files lists all missing files',
    parameters: { lacking, count: rows.length, store: store.name },
  });
}
