import { valueColumn } from '../../../shared/db/sql/value-column.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import {
  compileConditions,
  liveRows,
  noFilter,
  searchesText,
} from '../../../shared/search/list-filter.ts';
import { viewForSearch, withViewer } from '../../../shared/search/record-view.ts';
import { runForValues } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import { requireLinkedRecords } from '../../../shared/search/where/require-linked-records.ts';
import type { QueryContext } from '../context.ts';
import type { BoardQuery } from './board-query.ts';

interface GroupFacts {
  readonly total: number;
  /** Null if the sum is too large for a number. */
  readonly sum: number | null;
}

/** With one statement, counts the records of each non-empty group and sums an attribute. */
export async function countGroups(
  { directory, findCommonTrigrams, findWordIndexes, searchPool }: QueryContext,
  { actor, model, board, request, sum, ...query }: BoardQuery,
): Promise<ReadonlyMap<string, GroupFacts>> {
  const findModel = directory.entity;
  const view = viewForSearch(actor, query.view);
  const binder = createBinder(view.viewer);
  const filter = request.filter ?? noFilter;
  const reader = { actor, model, view };
  const conditions = compileConditions(filter, {
    ...reader,
    findModel,
    binder,
    findCommonTrigrams,
    wordIndexes: searchesText(filter) ? await findWordIndexes() : undefined,
  });
  const pool = searchPool.of(actor);
  await requireLinkedRecords(pool, filter.where, { model, view, findModel });
  const added = sum === undefined ? '0' : `coalesce(sum(${valueColumn(sum, 't')}::numeric), 0)`;
  const rows = liveRows({ model, view, filter: conditions });
  const text =
    `select g.name, g.total, case when abs(g.added) < 1e300 then g.added::float8 end` +
    ` from (select t.${quotedColumn(board.status)} as name, count(*)::float8 as total, ${added} as added` +
    ` from ${liveTable(model.name)} t where ${rows} group by 1) g`;
  const found = await runForValues(pool, { text: withViewer(view, text) }, [...binder.values]);
  return new Map(
    found.map(([name, total, added]) => [
      String(name),
      { total: Number(total), sum: added === null ? null : Number(added) },
    ]),
  );
}
