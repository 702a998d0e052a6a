import type { Client } from 'pg';
import { createPool } from '../../../shared/db/pool.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { NamedFile } from '../../../shared/files/file-reads.ts';
import type { Installation } from '../installation.ts';

/** Lists the files of all records, deleted ones included, in a temporary table. Returns their number. */
export async function listFiles(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `create temporary table listed_files as
       select sha256, max(size)::float8 as size from ${liveTable(attachmentType)}
       where sha256 is not null and size > 0 group by 1`,
  );
  await client.query('create unique index on listed_files (sha256)');
  return rowCount ?? 0;
}

const PAGE = 1_000;
/** Small files spend most of their time waiting for the store. */
const AT_ONCE = 4;

/** Calls `work` for each listed file, for a few at a time. */
export async function forEachFile(
  client: Client,
  work: (file: NamedFile) => Promise<void>,
): Promise<void> {
  for (let last = ''; ; ) {
    const { rows } = await client.query<NamedFile>(
      'select sha256, size from listed_files where sha256 > $1 order by sha256 limit $2',
      [last, PAGE],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)?.sha256 ?? '';
    const files = rows.values();
    const workThrough = async (): Promise<void> => {
      for (const file of files) await work(file);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, workThrough));
  }
}

/** Runs `work` with enough connections for `forEachFile`. */
export async function withFilePool<Result>(
  { databaseUrl: url }: Pick<Installation, 'databaseUrl'>,
  work: (pool: ReturnType<typeof createPool>) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({ url, applicationName: 'annals-cli', poolSize: AT_ONCE });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** The first hashes of a list, and its length. */
export class HashList {
  readonly listed: string[] = [];
  count = 0;

  add({ sha256 }: NamedFile): void {
    this.count += 1;
    if (this.listed.length < LISTED) this.listed.push(sha256);
  }
}

const LISTED = 100;
