import type { Queryable } from '../../../shared/db/pool.ts';
import { allOf } from '../../../shared/db/sql/conditions.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { ownParameter, type RecordView, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement, type Statement } from '../../../shared/search/run-statement.ts';
import type { NameSource } from './read-plan.ts';

export interface NameDeps {
  readonly pool: Queryable;
  readonly directory: Pick<Directory, 'record' | 'entity'>;
  readonly prepare: (text: string) => Statement;
}

type NameOf = (id: string) => unknown;

interface NamedRows {
  readonly rows: readonly Row[];
  readonly view: RecordView;
}

/** Adds names next to the ids in rows, in place. Rows without ids need no further statement. */
export async function fillNames(
  deps: NameDeps,
  named: NamedRows,
  sources: readonly NameSource[],
): Promise<void> {
  const { rows } = named;
  for (const source of sources) {
    if (source.place === 'memory') fill(rows, source, memoryNames(deps.directory, source));
  }
  const fromTables = sources.filter(({ place }) => place === 'table');
  await Promise.all(
    fromTables.map(async (source) => fill(rows, source, await tableNames(deps, named, source))),
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

function memoryNames(
  directory: Pick<Directory, 'record'>,
  { entityType, shown }: NameSource,
): NameOf {
  return (id) => directory.record(entityType, id)?.values[shown] ?? null;
}

async function tableNames(
  { pool, prepare, directory }: NameDeps,
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
