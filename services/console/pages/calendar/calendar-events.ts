import { colorAt } from '../../parts/colors.ts';
import type { CalendarItem } from './requests.ts';

/** An activity in the calendars of one or several of the shown users. */
export interface CalendarEvent extends CalendarItem {
  /** Unique among all entity types. */
  readonly key: string;
  /** The shown users who are assigned to it or take part in it, in the order of the calendars. */
  readonly userIds: readonly string[];
}

/** Returns each activity once, even if several users take part in it. */
export function eventsIn(
  calendars: Readonly<Record<string, readonly CalendarItem[]>>,
  userIds: readonly string[],
): readonly CalendarEvent[] {
  const events = new Map<string, CalendarEvent>();
  for (const userId of userIds) {
    for (const item of calendars[userId] ?? []) {
      const key = keyOf(item.scope, item.id);
      const known = events.get(key);
      events.set(key, { ...item, key, userIds: [...(known?.userIds ?? []), userId] });
    }
  }
  return [...events.values()];
}

function keyOf(entity: string, id: string): string {
  return `${entity} ${id}`;
}

/** Returns the colour of an event: of its entity type, or of its user if several calendars are shown. */
export function colorOf(
  event: CalendarEvent,
  { types, userIds }: { readonly types: readonly string[]; readonly userIds: readonly string[] },
): string {
  if (userIds.length < 2) return colorAt(types.indexOf(event.scope));
  const owner = event.userIds.find((id) => id === event.assignedUserId) ?? event.userIds[0];
  return colorAt(userIds.indexOf(owner ?? ''));
}

/** Planned activities that did not or will not take place are struck through. */
const cancelled: ReadonlySet<string | null> = new Set(['Not Held', 'Canceled', 'Deferred']);
const done: ReadonlySet<string | null> = new Set(['Held', 'Completed']);

export function progressOf({ status }: CalendarItem): 'cancelled' | 'done' | 'planned' {
  if (cancelled.has(status)) return 'cancelled';
  return done.has(status) ? 'done' : 'planned';
}
