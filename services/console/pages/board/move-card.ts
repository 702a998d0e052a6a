import type { BoardGroup } from '../../api/board.ts';
import type { AnyRecord } from '../../api/records.ts';

interface Move {
  readonly id: string;
  readonly to: string;
  /** The position in the target group, among its other cards. */
  readonly index: number;
  /** The attribute to sum. */
  readonly sumOf?: string | undefined;
}

/** Returns the board after a card has moved, with updated counts and sums. */
export function moveCard(
  groups: readonly BoardGroup[],
  { id, to, index, sumOf }: Move,
): readonly BoardGroup[] {
  const from = groupOf(groups, id);
  const card = from?.list.find((one) => one.id === id);
  if (from === undefined || card === undefined) return groups;
  const amount = Number(card[sumOf ?? ''] ?? 0);
  return groups.map((group) => {
    if (group.name !== from.name && group.name !== to) return group;
    const others = group.list.filter((one) => one.id !== id);
    const list = group.name === to ? others.toSpliced(index, 0, card) : others;
    if (from.name === to) return { ...group, list };
    const sign = group.name === to ? 1 : -1;
    return {
      ...group,
      list,
      total: group.total + sign,
      ...(typeof group.sum === 'number' ? { sum: group.sum + sign * amount } : {}),
    };
  });
}

export function groupOf(groups: readonly BoardGroup[], id: string): BoardGroup | undefined {
  return groups.find(({ list }) => list.some((one: AnyRecord) => one.id === id));
}

/** Returns the ids that determine the place of a moved card: its own, and those of all cards before it. */
export function idsUpTo({ list }: BoardGroup, id: string): readonly string[] {
  const ids = list.map((one) => one.id);
  return ids.slice(0, ids.indexOf(id) + 1);
}
