import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { BaseContext } from '../context.ts';
import type { Conversion } from './convert-row.ts';
import { findMatches } from './find-matches.ts';
import { type ImportPlan, linkNamed } from './import-plan.ts';
import type { CsvRow } from './read-csv.ts';

/** An import with the current definitions and permissions. */
export interface ImportWork {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly plan: ImportPlan;
}

/** A row, and the record that the row updates. */
export interface MatchedRow extends CsvRow {
  readonly matchId: string | undefined;
}

export interface PreparedRows {
  readonly rows: readonly MatchedRow[];
  readonly findLinked: Conversion['findLinked'];
}

/** Finds the records that some rows update, and the records to which they link by name. */
export async function prepareRows(
  rows: readonly CsvRow[],
  work: ImportWork,
  context: BaseContext,
): Promise<PreparedRows> {
  const [matches, links] = await Promise.all([
    matchRows(rows, work, context),
    Promise.all(linksByName(work).map((link) => findLinkedOnes(link, rows, { work, context }))),
  ]);
  const idsByLink = new Map(links);
  return {
    rows: rows.map((row) => ({ ...row, matchId: matches.get(row.index) })),
    findLinked: (idAttribute, name) => idsByLink.get(idAttribute)?.get(name),
  };
}

/** Returns the texts by which a row finds its record; undefined if all of them are empty. */
export function identityOf(
  { cells }: CsvRow,
  { updateBy }: ImportPlan,
): readonly string[] | undefined {
  const values = updateBy.map((column) => (cells[column] ?? '').trim());
  return values.some((value) => value !== '') ? values : undefined;
}

async function matchRows(
  rows: readonly CsvRow[],
  { actor, model, plan }: ImportWork,
  context: BaseContext,
): Promise<ReadonlyMap<number, string>> {
  const named = rows.flatMap((row) => {
    const values = identityOf(row, plan);
    return values === undefined ? [] : [{ index: row.index, values }];
  });
  const names = plan.updateBy.map((column) => plan.attributes[column] ?? '');
  const values = named.map((row) => row.values);
  const found = await findMatches(context, { actor, model, names }, values);
  return new Map(
    named.flatMap(({ index }, place) => {
      const id = found[place];
      return id === undefined ? [] : [[index, id] as const];
    }),
  );
}

interface NamedLink {
  readonly column: number;
  readonly idAttribute: string;
  readonly entityType: string;
}

function linksByName({ model, plan }: ImportWork): readonly NamedLink[] {
  return plan.attributes.flatMap((name, column) => {
    if (name === null) return [];
    const idAttribute = linkNamed(model, name)?.name;
    const entityType = model.attribute.get(name)?.through?.entityType;
    return idAttribute === undefined || entityType === undefined
      ? []
      : [{ column, idAttribute, entityType }];
  });
}

async function findLinkedOnes(
  { column, idAttribute, entityType }: NamedLink,
  rows: readonly CsvRow[],
  { work, context }: { readonly work: ImportWork; readonly context: BaseContext },
): Promise<readonly [string, ReadonlyMap<string, string>]> {
  const model = context.directory.entity(entityType);
  const names = [...new Set(rows.map(({ cells }) => (cells[column] ?? '').trim()))].filter(
    (name) => name !== '',
  );
  if (model === undefined || names.length === 0) return [idAttribute, new Map()];
  const query = { actor: work.actor, model, names: ['name'] };
  const found = await findMatches(
    context,
    query,
    names.map((name) => [name]),
  );
  const pairs = names.flatMap((name, place) => {
    const id = found[place];
    return id === undefined ? [] : [[name, id] as const];
  });
  return [idAttribute, new Map(pairs)];
}
