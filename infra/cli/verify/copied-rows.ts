import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** The columns of a row in Postgres's binary format; null for NULL. */
export type CopiedRow = readonly (Buffer | null)[];

/** The signature and flags, and the length of the header extension, which Postgres leaves empty. */
const HEADER_BYTES = 19;
const END = -1;

/** Yields the rows of a query by COPY, several at a time. Postgres waits until they are consumed. */
export async function* copyRows(
  client: Client,
  query: string,
): AsyncGenerator<readonly CopiedRow[]> {
  const stream = client.query(copyTo(`copy (${query}) to stdout (format binary)`));
  let bytes = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for await (const chunk of stream) {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const rows: CopiedRow[] = [];
    for (;;) {
      const found = readRow(bytes, at);
      if (found === undefined) break;
      rows.push(found.row);
      at = found.end;
    }
    if (rows.length > 0) yield rows;
    bytes = bytes.subarray(at);
    at = 0;
  }
}

const INT16 = 2;
const INT32 = 4;

/** Returns undefined if the bytes end within the row, or if they are the end marker after all rows. */
function readRow(
  bytes: Buffer,
  from: number,
): { readonly row: CopiedRow; readonly end: number } | undefined {
  if (bytes.length < from + INT16) return undefined;
  const columns = bytes.readInt16BE(from);
  if (columns === END) return undefined;
  const row: (Buffer | null)[] = [];
  let at = from + INT16;
  for (let column = 0; column < columns; column += 1) {
    if (bytes.length < at + INT32) return undefined;
    const length = bytes.readInt32BE(at);
    at += INT32;
    if (length > 0 && bytes.length < at + length) return undefined;
    row.push(length < 0 ? null : bytes.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return { row, end: at };
}
