import { allResultsOf, type Chosen } from '../../../api/mass-actions.ts';
import type { ListSearch } from '../../../api/records.ts';

/** The selection in a list: the ids of single rows, or all results. */
export type Selection = 'everything' | ReadonlySet<string>;

export const emptySelection: Selection = new Set();

export function toggled(selection: Selection, id: string): Selection {
  if (selection === 'everything') return emptySelection;
  const ids = new Set(selection);
  if (!ids.delete(id)) ids.add(id);
  return ids;
}

export function countOf(selection: Selection, total: number): number {
  return selection === 'everything' ? total : selection.size;
}

export function chosenOf(selection: Selection, search: ListSearch): Chosen {
  return selection === 'everything' ? allResultsOf(search) : { ids: [...selection] };
}
