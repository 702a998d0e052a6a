import { allResultsOf, type Chosen } from '../../../api/mass-actions.ts';
import type { ListSearch } from '../../../api/records.ts';

/** The selection in a list: single rows by id, or all results except some. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'everything'; readonly exceptIds: ReadonlySet<string> };

export const emptySelection: Selection = { kind: 'some', ids: new Set() };
export const allResults: Selection = { kind: 'everything', exceptIds: new Set() };

/** The server accepts as many ids in a condition. Also limits the rows that one click selects. */
export const maxListedIds = 1_000;

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'some' ? selection.ids.has(id) : !selection.exceptIds.has(id);
}

/** Selects or deselects records. Returns undefined if too many records would be excluded from all results. */
export function withRecords(
  selection: Selection,
  ids: readonly string[],
  isOn: boolean,
): Selection | undefined {
  if (selection.kind === 'some') {
    const changed = new Set(ids);
    const { ids: before } = selection;
    return { kind: 'some', ids: isOn ? before.union(changed) : before.difference(changed) };
  }
  const { exceptIds: before } = selection;
  const changed = new Set(ids);
  const exceptIds = isOn ? before.difference(changed) : before.union(changed);
  return exceptIds.size > maxListedIds ? undefined : { kind: 'everything', exceptIds };
}

export function countOf(selection: Selection, total: number): number {
  return selection.kind === 'some'
    ? selection.ids.size
    : Math.max(0, total - selection.exceptIds.size);
}

export function chosenOf(selection: Selection, search: ListSearch): Chosen {
  if (selection.kind === 'some') return { ids: [...selection.ids] };
  const { exceptIds } = selection;
  if (exceptIds.size === 0) return allResultsOf(search);
  const others = { type: 'notIn' as const, attribute: 'id', value: [...exceptIds] };
  return allResultsOf({ ...search, where: [...search.where, others] });
}
