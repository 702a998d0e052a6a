import type { Entity } from '../../api/metadata.ts';
import type { Condition, ListSearch } from '../../api/records.ts';
import { attributesOf } from '../../fields/field-attributes.ts';
import { readText } from '../../parts/list/search-state.ts';
import { readConditions } from './conditions/conditions.ts';

/** What the address of a list of records says. */
export interface ListState {
  /** Text that is searched for. */
  readonly q: string | undefined;
  /** A field; with `-` in front, descending. */
  readonly sort: string | undefined;
  /** Fields, with commas between them. */
  readonly columns: string | undefined;
  readonly where: readonly Condition[] | undefined;
  /** Which stretch of rows; the first is 0. */
  readonly part: number | undefined;
  /** The id of a mass action that was begun here. */
  readonly action: string | undefined;
}

/** A table cannot be higher than browsers can draw: a list is shown in stretches of this many rows. */
export const rowsPerPart = 100_000;

/** Reads an address with the fields of the type: what it does not have is a mistake. */
export function listReaders(entity: Entity) {
  const isField = (name: string) => Object.hasOwn(entity.fields, name);
  return {
    q: readText,
    sort(raw: unknown) {
      const text = readText(raw);
      return text !== undefined && isField(text.replace(/^-/, '')) ? text : undefined;
    },
    columns(raw: unknown) {
      const names = readText(raw)?.split(',').filter(isField) ?? [];
      return names.length > 0 ? names.join(',') : undefined;
    },
    where: readConditions,
    part: (raw: unknown) => (Number.isInteger(raw) && Number(raw) >= 0 ? Number(raw) : undefined),
    action: readText,
  };
}

/** The search that a list's address means. */
export function toSearch(
  { q = '', sort, where = [] }: Partial<ListState>,
  { entity, columns }: { readonly entity: Entity; readonly columns: readonly string[] },
): ListSearch {
  const { orderBy, order } = entity.collection;
  const isDescending = sort?.startsWith('-') === true;
  return {
    entity: entity.name,
    select: [...new Set(columns.flatMap((name) => attributesOf(entity, name)))],
    orderBy: sort?.replace(/^-/, '') ?? orderBy,
    order: sort === undefined ? order : isDescending ? 'desc' : 'asc',
    textFilter: q.trim(),
    where,
  };
}
