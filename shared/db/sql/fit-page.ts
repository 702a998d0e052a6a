/**
 * The most bytes of stored values that one page, or one slice of a longer answer, takes from Postgres. One entry may be
 * larger than that: an event has up to 4 MiB itself. JSON may need six characters for a byte, so a page is some tens of
 * megabytes at worst, and usually as large as its values.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

interface Sized {
  /** A statement in SQL, with at most as many rows as the page may have. */
  readonly rows: string;
  /** SQL over those rows for the bytes of one. It must not be null. */
  readonly bytes: string;
  /** SQL over those rows for their order, which has to be a total one. */
  readonly order: string;
  readonly maxBytes?: number;
}

/**
 * SQL for the first of these rows, in this order, as many as fit a page: at least one. Postgres reads the size of a large
 * value without the value, so the rows that do not fit cost nothing.
 */
export function fitPage({ rows, bytes, order, maxBytes = MAX_PAGE_BYTES }: Sized): string {
  const upTo = `sum(${bytes}) over (order by ${order} rows unbounded preceding)`;
  return (
    `select * from (select sized.*, ${upTo} as "$bytes" from (${rows}) sized) page` +
    ` where "$bytes" - ${bytes} < ${maxBytes} order by ${order}`
  );
}

/** Whether the rows of `fitPage` ended because the page was full, so that more may follow. */
export function isFull(rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  return Number(rows.at(-1)?.['$bytes'] ?? 0) >= MAX_PAGE_BYTES;
}

/** The end of the slice that begins at `from`: the first sizes that fit a page, at least one. The same rule as `fitPage`. */
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
