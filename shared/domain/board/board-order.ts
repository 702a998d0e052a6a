import type { RecordState } from '../record/record-state.ts';

/**
 * The entity type that stores the order of cards in the directory log. The record id is the user's id, and each group
 * of a board is an attribute. Like preferences, the type has no definition.
 */
export const boardOrderType = 'BoardOrder';

/** Cards without a stored place follow in the order of the list. */
const MAX_PLACED = 50;

/** Returns the attribute that stores the order of one group. The names of entity types contain no dots. */
export function orderAttribute(entityType: string, group: string): string {
  return `${entityType}.${group}`;
}

/** Returns the ids of the first cards of a group in the order that the user chose. */
export function placedIds(state: RecordState | undefined, attribute: string): readonly string[] {
  const stored = state?.values[attribute];
  return typeof stored === 'string' && stored !== '' ? stored.split(' ') : [];
}

/**
 * Puts cards before the other cards of their group. Returns the ids as one text, because every process keeps the orders
 * of all users in memory, and a list takes several times as much. Ids contain no spaces.
 */
export function placeFirst(ids: readonly string[], placed: readonly string[]): string {
  return [...new Set([...ids, ...placed])].slice(0, MAX_PLACED).join(' ');
}
