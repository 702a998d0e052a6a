import type { FieldProblem, Refusal } from '../../../shared/domain/errors.ts';
import type { ImportResult, RejectedRows } from '../../../shared/domain/import/import-result.ts';
import { cutText } from './cut-text.ts';

/** The reason why a row was not imported. */
export interface Rejection extends Pick<RejectedRows, 'code' | 'message'> {
  readonly fields: readonly Pick<FieldProblem, 'field' | 'type'>[];
  readonly problems: readonly Omit<FieldProblem, 'attribute'>[];
}

/** Counts of rows, and the rows that were not imported, by index. */
export interface ImportTally {
  /** Rows with an outcome. */
  tried: number;
  created: number;
  updated: number;
  unchanged: number;
  duplicates: number;
  readonly rejected: Map<number, Rejection>;
  /** Rows that were skipped because they are duplicates. */
  readonly skipped: Set<number>;
}

/** The ids of the files with the rows that were not imported; null without any. */
export type RejectedFiles = Required<Pick<ImportResult, 'errorsFileId' | 'rejectedFileId'>>;

const MAX_MESSAGE_LENGTH = 300;
const MAX_REASONS = 50;
const MAX_LISTED_ROWS = 20;

export function emptyTally(): ImportTally {
  const counts = { tried: 0, created: 0, updated: 0, unchanged: 0, duplicates: 0 };
  return { ...counts, rejected: new Map(), skipped: new Set() };
}

export function toRejection({ code, message, detail }: Refusal): Rejection {
  const { errors = [] } = detail;
  const text = errors.length > 1 ? errors.map((error) => error.message).join(' ') : message;
  const fields = errors.map(({ field, type }) => ({ field, type }));
  return { code, message: cutText(text, MAX_MESSAGE_LENGTH), fields, problems: errors };
}

type WrittenCounts = Pick<ImportResult, 'created' | 'updated' | 'duplicates'>;

/** Returns the result with the counts of written rows, which come from the log after a crash. */
export function toResult(
  tally: ImportTally,
  written: WrittenCounts,
  files: RejectedFiles,
): ImportResult {
  const { unchanged, skipped, rejected } = tally;
  const { created, updated, duplicates } = written;
  const counts = { created, updated, unchanged, duplicates };
  return {
    ...counts,
    skipped: skipped.size,
    rejected: rejected.size,
    reasons: reasonsOf(rejected),
    ...files,
  };
}

/** Groups rejected rows by code and fields. The texts in their messages differ. */
function reasonsOf(rejected: ImportTally['rejected']): readonly RejectedRows[] {
  const groups = Map.groupBy(rejected, ([, { code, fields }]) => JSON.stringify([code, fields]));
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const rows = group.slice(0, MAX_LISTED_ROWS).map(([index]) => index + 1);
      const { code, message, fields } = first[1];
      return [{ code, message, fields, count: group.length, rows }];
    })
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MAX_REASONS);
}
