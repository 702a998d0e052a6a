import type { Entity } from '../../api/metadata.ts';
import type { Condition, ListSearch } from '../../api/records.ts';
import { attributesOf } from '../../fields/field-types.ts';
import { readText } from '../../parts/list/search-state.ts';
import { readConditions } from './conditions/conditions.ts';
import { withCurrentUser } from './conditions/current-user.ts';
import { readQuickFilters, toFilterConditions } from './quick/quick-filters.ts';

/** The state of a record list, kept in its address. */
export interface ListState {
  /** Search text. */
  readonly q: string | undefined;
  /** Name of the sort field, prefixed with `-` for descending order. */
  readonly sort: string | undefined;
  /** Comma-separated field names. */
  readonly columns: string | undefined;
  /** Comma-separated names of quick filters. */
  readonly filter: string | undefined;
  readonly where: readonly Condition[] | undefined;
  /** The part of the list that is shown, numbered from 0. */
  readonly part: number | undefined;
  /** The id of a mass action started on this page. */
  readonly action: string | undefined;
}

/** Browsers limit the height of a table, so longer lists are shown in parts of this many rows. */
export const rowsPerPart = 100_000;

/** Returns the parsers for a list's address, which accept only fields of the entity type. */
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
    filter: (raw: unknown) => readQuickFilters(entity, readText(raw)),
    where: readConditions,
    part: (raw: unknown) => (Number.isInteger(raw) && Number(raw) >= 0 ? Number(raw) : undefined),
    action: readText,
  };
}

/** Returns the search for a list's address. */
export function toSearch(
  { q = '', sort, filter, where = [] }: Partial<ListState>,
  {
    entity,
    columns,
    userId,
  }: {
    readonly entity: Entity;
    readonly columns: readonly string[];
    readonly userId: string;
  },
): ListSearch {
  const { orderBy, order } = entity.collection;
  const isDescending = sort?.startsWith('-') === true;
  return {
    entity: entity.name,
    select: [...new Set(columns.flatMap((name) => attributesOf(entity, name)))],
    orderBy: sort?.replace(/^-/, '') ?? orderBy,
    order: sort === undefined ? order : isDescending ? 'desc' : 'asc',
    textFilter: q.trim(),
    where: [
      ...toFilterConditions(activeFilters(filter)),
      ...withCurrentUser(where, entity, userId),
    ],
  };
}

export function activeFilters(filter: string | undefined): readonly string[] {
  return filter?.split(',') ?? [];
}
