import type { Entity } from '../../api/metadata.ts';
import { readText } from '../../parts/list/search-state.ts';

const tabs = ['types', 'diagram'] as const;
const typeTabs = ['fields', 'links', 'events', 'options'] as const;

/** What the address of all definitions says. */
export interface DefinitionsState {
  readonly tab: (typeof tabs)[number] | undefined;
  readonly mode: 'new' | undefined;
  /** Text that is searched for. */
  readonly q: string | undefined;
  /** A column; with `-` in front, descending. */
  readonly sort: string | undefined;
  /** In the diagram: the type whose relations are shown. */
  readonly focus: string | undefined;
}

/** What the address of one entity type says. */
export interface TypeState {
  readonly tab: (typeof typeTabs)[number] | undefined;
  readonly mode: 'new' | undefined;
  readonly q: string | undefined;
  readonly sort: string | undefined;
  /** The field or link that is being changed. */
  readonly name: string | undefined;
}

/** What the tabs of an entity type get. */
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

/** Rows that have a text somewhere, in the order of a column. */
export function arrange<Row extends object>(
  rows: readonly Row[],
  { q = '', sort = '' }: { readonly q?: string | undefined; readonly sort?: string | undefined },
): readonly Row[] {
  const wanted = q.trim().toLowerCase();
  const textOf = (value: unknown) => (typeof value === 'object' ? '' : String(value));
  const found = rows.filter((row) =>
    Object.values(row).some((value) => textOf(value).toLowerCase().includes(wanted)),
  );
  const by = sort.replace(/^-/, '') as keyof Row;
  const sorted = found.toSorted((one, other) =>
    textOf(one[by]).localeCompare(textOf(other[by]), undefined, { numeric: true }),
  );
  return sort.startsWith('-') ? sorted.toReversed() : sorted;
}
