import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { folded, foldedText, foldedWhole } from '../../../shared/db/sql/folded-text.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { permittedRows } from '../records/input/resolve-links.ts';

export interface MatchReads {
  readonly pool: Pool;
  readonly directory: Directory;
}

interface MatchQuery {
  readonly actor: Actor;
  readonly model: EntityModel;
  /** Stored text attributes, or `id`. */
  readonly names: readonly string[];
}

/**
 * Finds, for each list of values, the oldest live record that has all of them and that the actor may read. Ignores case.
 * One statement for all rows, which uses the indexes of names and addresses.
 */
export async function findMatches(
  { pool, directory }: MatchReads,
  { actor, model, names }: MatchQuery,
  rows: readonly (readonly string[])[],
): Promise<readonly (string | undefined)[]> {
  if (rows.length === 0) return [];
  if (model.definition.log === 'directory') return inDirectory(directory, model, names, rows);
  const conditions = names.map((name, index) => sameText(model, name, `given.v${index}`));
  const parameters = names.map((_, index) => `$${index + 3}::text[]`).join(', ');
  const columns = names.map((_, index) => `v${index}`).join(', ');
  const { rows: found } = await orUnavailable(
    pool.query<{ place: string; id: string }>(
      `with viewer as (select $1::text as id, $2::text[] as teams)
       select given.place, t.id
       from unnest(${parameters}) with ordinality given (${columns}, place)
       cross join lateral (
         select t.id from ${liveTable(model.name)} t
         where not t.deleted and ${permittedRows(actor, model, 'read')} and ${conditions.join(' and ')}
         order by t.created_at, t.id limit 1
       ) t`,
      [actor.id, actor.teamIds, ...names.map((_, index) => rows.map((row) => row[index] ?? ''))],
    ),
  );
  const byPlace = new Map(found.map(({ place, id }) => [Number(place) - 1, id]));
  return rows.map((_, index) => byPlace.get(index));
}

/** Long texts have the same beginning in their index. */
function sameText(model: EntityModel, name: string, value: string): string {
  if (name === 'id') return `t.id = ${value}`;
  const beginning = `${foldedText(model, { name }, 't.')} = ${folded(value)}`;
  return `(${beginning} and ${foldedWhole(`t.${quotedColumn({ name })}`)} = ${foldedWhole(value)})`;
}

function inDirectory(
  directory: Directory,
  { name: entityType }: EntityModel,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): readonly (string | undefined)[] {
  const keyOf = (values: readonly unknown[]) => JSON.stringify(values).toLowerCase();
  const byKey = new Map<string, string>();
  for (const { id, values } of directory.records(entityType)) {
    const key = keyOf(names.map((name) => (name === 'id' ? id : values[name])));
    if (!byKey.has(key)) byKey.set(key, id);
  }
  return rows.map((row) => byKey.get(keyOf(row)));
}
