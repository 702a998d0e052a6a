/**
 * The maximum number of bytes of stored values that one page, or one slice of a longer response, reads from Postgres. A
 * single entry may be larger: an event has up to 4 MiB. JSON may need six characters per byte, so in the worst case the
 * JSON of a page takes some tens of megabytes. Usually it is about as large as the values.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

interface Sized {
  /** An SQL statement that returns at most as many rows as the page may have. */
  readonly rows: string;
  /** An SQL expression for the size of a row in bytes. It must not be null. */
  readonly bytes: string;
  /** An SQL expression for the order of the rows, which must be a total order. */
  readonly order: string;
  readonly maxBytes?: number;
}

/**
 * Returns SQL for as many of these rows, in this order, as fit in a page, but at least one. Postgres reads the size of
 * a large value without the value itself, so rows that do not fit cost nothing.
 */
export function fitPage({ rows, bytes, order, maxBytes = MAX_PAGE_BYTES }: Sized): string {
  const upTo = `sum(${bytes}) over (order by ${order} rows unbounded preceding)`;
  return (
    `select * from (select sized.*, ${upTo} as "$bytes" from (${rows}) sized) page` +
    ` where "$bytes" - ${bytes} < ${maxBytes} order by ${order}`
  );
}

/** Returns true if the rows of `fitPage` ended because the page was full, so more may follow. */
export function isFull(rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  return Number(rows.at(-1)?.['$bytes'] ?? 0) >= MAX_PAGE_BYTES;
}

/**
 * Returns the end of the slice that begins at `from`, by the rule of `fitPage`: as many sizes as fit in a page, but at
 * least one.
 */
export function endOfSlice(
  sizes: readonly number[],
  from: number,
  { maxBytes = MAX_PAGE_BYTES, maxRows = Number.POSITIVE_INFINITY } = {},
): number {
  let end = from;
  for (let bytes = 0; end < sizes.length && end - from < maxRows && bytes < maxBytes; end++) {
    bytes += sizes[end] ?? 0;
  }
  return end;
}
