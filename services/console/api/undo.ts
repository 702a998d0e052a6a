import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { readMassAction } from './mass-actions.ts';
import type { operations } from './schema.d.ts';

const undoPageSize = 50;
/** The server lists only the newest 1,000 changes. */
const MAX_UNDO_PAGES = 20;

/** Loads one page of the user's changes that can be undone, newest first. Pages are numbered from 0. */
export function recentChangesQuery(page: number) {
  return queryOptions({
    queryKey: ['records', 'recent', page],
    queryFn: async ({ signal }) => {
      const query = pageOf(page);
      return bodyOf(api.GET('/Undo', { params: { query }, signal }));
    },
  });
}

type AnswerOf<Operation extends keyof operations> = operations[Operation] extends {
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': infer Body } };
  };
}
  ? Body
  : never;
type ItemOf<List> = List extends { readonly list: readonly (infer Item)[] } ? Item : never;

export type RecentChange = ItemOf<AnswerOf<'Undo_list'>>;
export type DeletedRecord = ItemOf<AnswerOf<'Undo_deleted'>>;

/** Loads one page of the deleted records that the user may restore, most recently deleted first. */
export function deletedRecordsQuery(search: {
  readonly page: number;
  readonly entityType?: string;
  readonly recordId?: string;
}) {
  const { page, ...limits } = search;
  return queryOptions({
    queryKey: ['records', 'deleted', search],
    queryFn: async ({ signal }) => {
      const query = { ...pageOf(page), ...limits };
      return bodyOf(api.GET('/Undo/deleted', { params: { query }, signal }));
    },
  });
}

/** Returns how many pages are known to exist, given one page and its total, which is -1 if more pages follow. */
export function countUndoPages(page: number, total: number): number {
  return Math.min(page + (total === -1 ? 2 : 1), MAX_UNDO_PAGES);
}

function pageOf(page: number) {
  return { offset: page * undoPageSize, maxSize: undoPageSize };
}

const pollEveryMs = 500;

interface Undone {
  /** The number of changed records. */
  readonly count: number;
  /** The number of records that were skipped, or that kept some values. */
  readonly skippedCount: number;
  /** The error code of the first of these records. */
  readonly reason: string | undefined;
}

/** Undoes a change. An undo that changes many records runs in the background; waits until it has ended. */
export async function undoChange(changeId: string): Promise<Undone> {
  const isLong = changeId.startsWith('MassAction/');
  const body = { changeId, idle: isLong };
  const { id, count = 0, skipped } = await bodyOf(api.POST('/Undo', { body }));
  if (!isLong) return { count, ...summaryOf(skipped) };
  for (;;) {
    const action = await readMassAction(id);
    if (action.status !== 'Running') {
      return { count: action.processedCount ?? 0, ...summaryOf(action.skipped) };
    }
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
}

function summaryOf(skipped: readonly { readonly count: number; readonly reason: string }[] = []) {
  return {
    skippedCount: skipped.reduce((sum, one) => sum + one.count, 0),
    reason: skipped[0]?.reason,
  };
}
