import type { ClientBase, QueryResultRow } from 'pg';
import { inTransaction } from '../../shared/db/in-transaction.ts';

const ROWS_AT_ONCE = 1_000;

/**
 * Reads the rows of a query in portions, so that memory holds only one portion at a time. Other statements may run in
 * between.
 */
export async function forEachRows<Row extends QueryResultRow>(
  client: ClientBase,
  select: string,
  onRows: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  await inTransaction(client, () => fetchRows(client, select, onRows, ROWS_AT_ONCE));
}

/** Like forEachRows, but within the client's open transaction. */
export async function fetchRows<Row extends QueryResultRow>(
  client: ClientBase,
  select: string,
  onRows: (rows: readonly Row[]) => Promise<void> | void,
  rowsAtOnce: number,
): Promise<void> {
  await client.query(`declare portions no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${rowsAtOnce} from portions`);
    if (rows.length > 0) await onRows(rows);
    if (rows.length < rowsAtOnce) break;
  }
  await client.query('close portions');
}
