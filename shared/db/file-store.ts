import type { QueryResult, QueryResultRow } from 'pg';
import { fileSchema } from './file-tables.ts';
import { orUnavailable } from './outage-of.ts';

interface Db {
  query<Row extends QueryResultRow>(statement: {
    readonly name: string;
    readonly text: string;
    readonly values: unknown[];
  }): Promise<QueryResult<Row>>;
}

/** A part of a file: from the first byte to before the last. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** How many bytes of a file Postgres has. */
export async function countStoredBytes(db: Db, sha256: string): Promise<number> {
  const { rows } = await orUnavailable(
    db.query<{ stored: number }>({
      name: 'count-file-bytes',
      text: `select coalesce(sum(octet_length(content)), 0)::float8 as stored from ${fileSchema}.chunks where sha256 = $1`,
      values: [sha256],
    }),
  );
  return rows[0]?.stored ?? 0;
}

/** The bytes of a part of a file, one chunk in memory at a time. Throws where Postgres lacks some of them. */
export async function* readStoredBytes(
  db: Db,
  sha256: string,
  { from, to }: ByteRange,
): AsyncGenerator<Buffer> {
  let position = from;
  while (position < to) {
    const { rows } = await orUnavailable(
      db.query<{ start: string; content: Buffer }>({
        name: 'read-file-chunk',
        text: `select start, content from ${fileSchema}.chunks
               where sha256 = $1 and start <= $2 order by start desc limit 1`,
        values: [sha256, position],
      }),
    );
    const [chunk] = rows;
    const start = Number(chunk?.start);
    const piece = chunk?.content.subarray(position - start, to - start);
    if (piece === undefined || piece.length === 0) throw new Error(`file ${sha256} has a gap`);
    yield piece;
    position += piece.length;
  }
}
