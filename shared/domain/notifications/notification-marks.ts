import { type Decision, decideWrite } from '../record/decide.ts';
import type { RecordState } from '../record/record-state.ts';
import { isOver } from './reminder-id.ts';

/**
 * Entity type of read marks in the directory log. The record id is the user's id. Like preferences, the type has no
 * definition.
 */
export const notificationMarksType = 'NotificationMarks';

/** A range of item numbers, including both ends. */
export type NumberRange = readonly [first: number, last: number];

/** A change to the marks of a user. Instances exchange it as JSON. */
export interface MarkChange {
  readonly read?: NumberRange;
  readonly removedId?: string;
  /** The id of a reminder, see reminder-id.ts. */
  readonly dismissedId?: string;
}

/** What a user has read and removed. */
export interface NotificationMarks {
  /** Ascending, without overlaps. */
  readonly read: readonly NumberRange[];
  /** In the order of removal. */
  readonly removedIds: readonly string[];
  /** The reminders that the user has dismissed, in this order. */
  readonly dismissedIds: readonly string[];
}

/** Users read from the top, so they rarely have more than two ranges. */
const MAX_RANGES = 20;
const MAX_REMOVED = 200;
const MAX_DISMISSED = 200;

export function readMarks(state: RecordState | undefined): NotificationMarks {
  const { read, removed, dismissed } = state?.values ?? {};
  return {
    read: wordsIn(read).map((range) => {
      const [first = 0, last = 0] = range.split('-').map(Number);
      return [first, last] as const;
    }),
    removedIds: wordsIn(removed),
    dismissedIds: wordsIn(dismissed),
  };
}

/** Every process keeps the marks of all users in memory, and a text is smaller than a list. */
function wordsIn(value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? value.split(' ') : [];
}

export function isRead({ read }: NotificationMarks, number: number): boolean {
  return read.some(([first, last]) => first <= number && number <= last);
}

/** Returns the lowest number that may be unread. */
export function firstUnread({ read: [oldest] }: NotificationMarks): number {
  return oldest?.[0] === 0 ? oldest[1] + 1 : 0;
}

/** Decides a change of the marks. Returns undefined if nothing changes. */
export function decideMarks(
  state: RecordState | undefined,
  { read, removedId, dismissedId }: MarkChange,
  now: number,
): Decision | undefined {
  const marks = readMarks(state);
  const ranges = read === undefined ? marks.read : addRange(marks.read, read);
  const dismissed = withId(marks.dismissedIds, dismissedId);
  return decideWrite(state, {
    read: ranges.map((range) => range.join('-')).join(' '),
    removed: withId(marks.removedIds, removedId).slice(-MAX_REMOVED).join(' '),
    // Written only with a dismissal, so that other changes of the marks stay as small as before.
    ...(dismissedId === undefined
      ? {}
      : {
          dismissed: dismissed
            .filter((id) => !isOver(id, now))
            .slice(-MAX_DISMISSED)
            .join(' '),
        }),
  });
}

/** Returns the ids with this one as the last. */
function withId(ids: readonly string[], id: string | undefined): readonly string[] {
  return id === undefined ? ids : [...ids.filter((one) => one !== id), id];
}

/** Adds a range. Above the maximum number of ranges, items between the two oldest ones are read, too. */
function addRange(ranges: readonly NumberRange[], added: NumberRange): readonly NumberRange[] {
  const merged: NumberRange[] = [];
  for (const [first, last] of [...ranges, added].toSorted(([left], [right]) => left - right)) {
    const previous = merged.at(-1);
    if (previous === undefined || previous[1] + 1 < first) merged.push([first, last]);
    else merged.splice(-1, 1, [previous[0], Math.max(previous[1], last)]);
  }
  const [oldest, second, ...newer] = merged;
  if (merged.length <= MAX_RANGES || oldest === undefined || second === undefined) return merged;
  return [[oldest[0], second[1]], ...newer];
}
