/** Rows that were not imported for the same reason. */
export interface RejectedRows {
  /** An error code. */
  readonly code: string;
  /** The reason of the first row, in English. */
  readonly message: string;
  /** The failing fields, with the type of each failure. */
  readonly fields: readonly { readonly field: string; readonly type: string }[];
  readonly count: number;
  /** The first rows, counted from 1 without the header. */
  readonly rows: readonly number[];
}

/** The result of an import, as stored in its record. A dry run counts what an import would do. */
export interface ImportResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** New records that were created although they are duplicates. */
  readonly duplicates: number;
  /** Rows that were skipped because they are duplicates. */
  readonly skipped: number;
  readonly rejected: number;
  /** The most frequent reason first. */
  readonly reasons: readonly RejectedRows[];
  /** The file with all rows that were skipped or rejected, with reasons for people; null if no row was. */
  readonly rejectedFileId: string | null;
  /** The file with the error codes of these rows. Absent in results of earlier versions, whose other file has them. */
  readonly errorsFileId?: string | null;
}
