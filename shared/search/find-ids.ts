import type { Queryable } from '../db/pool.ts';
import { liveTable } from '../db/tables/read-model-names.ts';
import type { Actor } from '../domain/access/actor.ts';
import type { EntityModel, FindModel } from '../domain/entity/model/entity-model.ts';
import { loadWordIndexes } from './find-word-indexes.ts';
import { compileConditions, type ListFilter, liveRows, searchesText } from './list-filter.ts';
import { viewFor, viewForSearch, withViewer } from './record-view.ts';
import { runStatement } from './run-statement.ts';
import { createBinder } from './where/binder.ts';
import { requireLinkedRecords } from './where/require-linked-records.ts';

export interface IdSearch {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly filter: ListFilter;
  readonly limit: number;
}

/** Returns the ids of at most `limit` existing records that match a filter and that the actor may read, oldest first. */
export async function findIds(
  { pool, findModel }: { readonly pool: Queryable; readonly findModel: FindModel },
  { actor, model, filter, limit }: IdSearch,
): Promise<readonly string[]> {
  const view = viewForSearch(actor, viewFor(actor, model, findModel));
  const binder = createBinder(view.viewer);
  const wordIndexes = searchesText(filter) ? await loadWordIndexes(pool) : undefined;
  const filtered = { actor, model, view, findModel, binder, wordIndexes };
  const conditions = compileConditions(filter, filtered);
  await requireLinkedRecords(pool, filter.where, { model, view, findModel });
  const text =
    `select t.id from ${liveTable(model.name)} t` +
    ` where ${liveRows({ model, view, filter: conditions })} order by t.id limit ${limit}`;
  const statement = { text: withViewer(view, text) };
  const rows = await runStatement(pool, statement, [...binder.values]);
  return rows.map(({ id }) => String(id));
}
