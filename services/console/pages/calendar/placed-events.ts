import type { CalendarEvent } from './calendar-events.ts';
import type { Span } from './event-spans.ts';

/** An event with all that the calendar shows of it. */
export interface PlacedEvent {
  readonly event: CalendarEvent;
  readonly span: Span;
  /** The name of a colour of the theme. */
  readonly color: string;
  /** The shown users who take part, if several calendars are shown. */
  readonly userNames: readonly string[];
  /** The description for screen readers and tooltips. */
  readonly label: string;
  /** Why the user may not move the event; absent if the user may. */
  readonly whyFixed?: string;
  /** True if the event may be moved to whole days. */
  readonly mayLastDays: boolean;
}
