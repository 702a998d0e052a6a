import { orUnavailable } from '../db/outage-of.ts';
import type { Queryable } from '../db/pool.ts';
import { fileSchema } from '../db/tables/read-model-names.ts';
import type { ByteRange } from './file-store.ts';

/**
 * Returns the number of contiguous bytes, from the start of a file, that Postgres has. Another version of Annals may
 * have split the same file into other chunks, so chunks may overlap.
 */
export async function countStoredBytes(db: Queryable, sha256: string): Promise<number> {
  const { rows } = await orUnavailable(
    db.query<{ from: number; to: number }>({
      name: 'list-file-chunks',
      text: `select start::float8 as from, (start + octet_length(content))::float8 as to
             from ${fileSchema}.chunks where sha256 = $1 order by start`,
      values: [sha256],
    }),
  );
  return rows.reduce((end, { from, to }) => (from <= end ? Math.max(end, to) : end), 0);
}

/**
 * Yields a range of a file's bytes, with one chunk in memory at a time. Ends early at the first byte that Postgres
 * lacks.
 */
export async function* readChunks(
  db: Queryable,
  sha256: string,
  { from, to }: ByteRange,
): AsyncGenerator<Buffer> {
  let position = from;
  while (position < to) {
    const { rows } = await orUnavailable(
      db.query<{ start: string; content: Buffer }>({
        name: 'read-file-chunk',
        text: `select start, content from ${fileSchema}.chunks
               where sha256 = $1 and start <= $2 and start + octet_length(content) > $2
               order by start desc limit 1`,
        values: [sha256, position],
      }),
    );
    const [chunk] = rows;
    const start = Number(chunk?.start);
    const piece = chunk?.content.subarray(position - start, to - start);
    if (piece === undefined) return;
    yield piece;
    position += piece.length;
  }
}

/** Deletes the chunks of a file in Postgres. The topic keeps them. */
export async function deleteChunks(db: Queryable, sha256: string): Promise<void> {
  const text = `delete from ${fileSchema}.chunks where sha256 = $1`;
  await orUnavailable(db.query({ text, values: [sha256] }));
}
