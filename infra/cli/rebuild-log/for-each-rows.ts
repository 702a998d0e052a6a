import type { Client, QueryResultRow } from 'pg';
import { inTransaction } from '../../../shared/db/in-transaction.ts';

const ROWS_AT_ONCE = 1_000;

/** Reads the rows of a query in portions, so that memory holds only one. Other statements may run meanwhile. */
export async function forEachRows<Row extends QueryResultRow>(
  client: Client,
  select: string,
  onRows: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`declare portions no scroll cursor for ${select}`);
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from portions`);
      if (rows.length > 0) await onRows(rows);
      if (rows.length < ROWS_AT_ONCE) break;
    }
  });
}
