import type { Entity } from '../../api/metadata.ts';
import { readText } from '../../parts/list/search-state.ts';

const tabs = ['types', 'diagram'] as const;
const typeTabs = ['fields', 'links', 'layouts', 'events', 'options'] as const;

/** The state of the data model page, kept in its URL. */
export interface DefinitionsState {
  readonly tab: (typeof tabs)[number] | undefined;
  readonly mode: 'new' | undefined;
  /** Search text. */
  readonly q: string | undefined;
  /** Name of the sort column, prefixed with `-` for descending order. */
  readonly sort: string | undefined;
  /** The entity type whose relations the diagram shows. */
  readonly focus: string | undefined;
}

/** The state of an entity type's page, kept in its URL. */
export interface TypeState {
  readonly tab: (typeof typeTabs)[number] | undefined;
  readonly mode: 'new' | undefined;
  readonly q: string | undefined;
  readonly sort: string | undefined;
  /** The field or link whose dialog is open. */
  readonly name: string | undefined;
}

/** Properties of the tabs of an entity type. */
export interface TypeTabProps {
  readonly entity: Entity;
  readonly state: Partial<TypeState>;
  readonly onChange: (change: Partial<TypeState>, options?: { readonly replace?: boolean }) => void;
}

const readMode = (raw: unknown) => (raw === 'new' ? ('new' as const) : undefined);

export const definitionsReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  mode: readMode,
  q: readText,
  sort: readText,
  focus: readText,
};

export const typeReaders = {
  tab: (raw: unknown) => typeTabs.find((tab) => tab === raw),
  mode: readMode,
  q: readText,
  sort: readText,
  name: readText,
};

/** Filters rows by text in any column, and sorts them by one column. */
export function arrange<Row extends object>(
  rows: readonly Row[],
  { q = '', sort = '' }: { readonly q?: string | undefined; readonly sort?: string | undefined },
): readonly Row[] {
  const search = q.trim().toLowerCase();
  const textOf = (value: unknown) => (typeof value === 'object' ? '' : String(value));
  const found = rows.filter((row) =>
    Object.values(row).some((value) => textOf(value).toLowerCase().includes(search)),
  );
  const by = sort.replace(/^-/, '') as keyof Row;
  const sorted = found.toSorted((one, other) =>
    textOf(one[by]).localeCompare(textOf(other[by]), undefined, { numeric: true }),
  );
  return sort.startsWith('-') ? sorted.toReversed() : sorted;
}
