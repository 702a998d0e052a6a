import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../domain/errors.ts';
import { orUnavailable } from './outage-of.ts';
import type { Queryable } from './pool.ts';
import { PROJECTED_WITHIN_MS } from './projection-watch.ts';
import { fileSchema } from './tables/read-model-names.ts';

/** A range of bytes: `from` is inclusive, `to` exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

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

const POLL_MS = 50;

/**
 * Resolves when Postgres has all bytes of a file. The log gets the bytes before the record, but in a separate topic, so
 * the record may become readable a moment before its bytes.
 */
export async function untilStored(
  db: Queryable,
  { sha256, size }: { readonly sha256: string; readonly size: number },
): Promise<void> {
  const deadline = Date.now() + PROJECTED_WITHIN_MS;
  while ((await countStoredBytes(db, sha256)) < size) {
    if (Date.now() > deadline) {
      throw new Unavailable('The file is in the log, but cannot be read yet.');
    }
    await sleep(POLL_MS);
  }
}

/**
 * Yields a range of a file's bytes, with one chunk in memory at a time. Throws if Postgres lacks some of these bytes.
 */
export async function* readStoredBytes(
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
    if (piece === undefined) throw new Error(`file ${sha256} has a gap`);
    yield piece;
    position += piece.length;
  }
}
