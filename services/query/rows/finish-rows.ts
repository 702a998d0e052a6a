import { allOf } from '../../../shared/db/sql/conditions.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { showSecrets } from '../../../shared/domain/access/opened-for.ts';
import { completeBodies } from '../../../shared/domain/directory/complete-bodies.ts';
import { ownParameter, type RecordView, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import type { NameSource, ReadPlan } from './read-plan.ts';

/** Fills in values that the statement could not select, in place. */
export async function finishRows(
  context: QueryContext,
  { plan, view }: { readonly plan: ReadPlan; readonly view: RecordView },
  rows: readonly Row[],
): Promise<void> {
  const { model, opened } = plan;
  if (opened.length > 0) {
    for (const row of rows) showSecrets(row, { model, opened, values: row }, context.openSecret);
  }
  completeBodies(model, rows, context.directory);
  if (plan.names.length > 0) await fillNames(context, { rows, view }, plan.names);
}

type NameOf = (id: string) => unknown;

interface NamedRows {
  readonly rows: readonly Row[];
  readonly view: RecordView;
}

/** Adds names next to the ids in rows, in place. Rows without ids need no further statement. */
async function fillNames(
  context: QueryContext,
  named: NamedRows,
  sources: readonly NameSource[],
): Promise<void> {
  const { rows } = named;
  for (const source of sources) {
    if (source.place === 'memory') fill(rows, source, memoryNames(context, source));
  }
  const fromTables = sources.filter(({ place }) => place === 'table');
  await Promise.all(
    fromTables.map(async (source) => fill(rows, source, await tableNames(context, named, source))),
  );
}

function fill(rows: readonly Row[], source: NameSource, nameOf: NameOf): void {
  const { attribute, idAttribute, isMany } = source;
  for (const row of rows) {
    const id = row[idAttribute];
    if (typeof id === 'string') row[attribute] = nameOf(id);
    else if (isMany && Array.isArray(id) && id.length > 0) row[attribute] = namesById(id, nameOf);
  }
}

function namesById(ids: readonly unknown[], nameOf: NameOf): Row {
  return Object.fromEntries(ids.map((id) => [id, nameOf(String(id))]));
}

function memoryNames({ directory }: QueryContext, { entityType, shown }: NameSource): NameOf {
  return (id) => directory.record(entityType, id)?.values[shown] ?? null;
}

async function tableNames(
  { pool, prepare, directory }: QueryContext,
  { rows, view }: NamedRows,
  { idAttribute, entityType, shown }: NameSource,
): Promise<NameOf> {
  const ids = [...new Set(rows.flatMap((row) => row[idAttribute] ?? []))];
  if (ids.length === 0) return () => null;
  const model = directory.entity(entityType);
  const readable = model === undefined ? undefined : view.rows(model, 't');
  const text =
    `select t.id, t.${quotedColumn({ name: shown })} as name from ${liveTable(entityType)} t` +
    ` where ${allOf(`t.id = any(${ownParameter(view)})`, readable)}`;
  const statement = prepare(withViewer(view, text));
  const found = await runStatement(pool, statement, [...view.viewer, ids]);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? null;
}
