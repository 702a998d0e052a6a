import { MAX_PAGE_BYTES } from '../../../shared/db/sql/fit-page.ts';

/** A column of `sizedRows`. No attribute begins with `$`. */
export const bytesColumn = '"$bytes"';
const bytesUpTo = '"$bytesUpTo"';

/**
 * SQL over `r`, a row of `sizedRows`: true if the row starts within the page's byte limit. The first row always does.
 */
export const isFitting = `r.${bytesUpTo} - r.${bytesColumn} < ${MAX_PAGE_BYTES}`;

/**
 * Returns SQL for the rows of a page with the size of each row in bytes. `bytes` is SQL over `r` and `joins`, `order`
 * is SQL over `s`. Postgres reads sizes without the values, so values that do not fit cost nothing.
 */
export function sizedRows(
  page: string,
  { bytes, joins, order }: Readonly<Record<'bytes' | 'joins' | 'order', string>>,
): string {
  const sized = `select r.*, ${bytes} as ${bytesColumn} from (${page}) r ${joins}`;
  const upTo = `sum(s.${bytesColumn}) over (order by ${order} rows unbounded preceding)`;
  return `select s.*, ${upTo} as ${bytesUpTo} from (${sized}) s`;
}
