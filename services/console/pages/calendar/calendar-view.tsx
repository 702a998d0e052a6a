import type { CalendarOptions, EventInput, EventMountArg, ViewApi } from '@fullcalendar/core';
import german from '@fullcalendar/core/locales/de.js';
import dayGridPlugin from '@fullcalendar/daygrid';
import interactionPlugin from '@fullcalendar/interaction';
import listPlugin from '@fullcalendar/list';
import FullCalendar from '@fullcalendar/react';
import timeGridPlugin from '@fullcalendar/timegrid';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../../language/language.tsx';
import './calendar.css';
import { progressOf } from './calendar-events.ts';
import { agendaDays, type CalendarState, type View } from './calendar-state.ts';
import { type Span, shifted } from './event-spans.ts';
import type { PlacedEvent } from './placed-events.ts';
import { dayOf, markerOf, wallOf, type ZoneClock } from './zone-clock.ts';

/** A period that the calendar shows. `start` and `end` are days; `end` is exclusive. */
export interface Period extends CalendarState {
  readonly title: string;
  readonly start: string;
  readonly end: string;
}

interface Props {
  readonly state: CalendarState;
  readonly events: readonly PlacedEvent[];
  readonly locale: string;
  readonly weekStart: number;
  readonly clock: ZoneClock;
  readonly mayCreate: boolean;
  /** True while the user chooses what to create at the selected place. */
  readonly isSelecting: boolean;
  readonly onShow: (period: Period) => void;
  readonly onOpen: (key: string, place: DOMRect) => void;
  readonly onMove: (key: string, span: Span) => void;
  readonly onSelect: (span: Span, place: DOMRect) => void;
}

const viewTypes: Readonly<Record<View, string>> = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
  agenda: 'agenda',
};

/** The attribute of an event's element with the key of the event. */
const keyAttribute = 'data-event-key';

const stepMinutes = 15;

const fixedOptions: CalendarOptions = {
  plugins: [dayGridPlugin, timeGridPlugin, listPlugin, interactionPlugin],
  locales: [german],
  views: {
    [viewTypes.agenda]: {
      type: 'list',
      duration: { days: agendaDays },
      listDayFormat: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    },
    // Leaves room for the names.
    [viewTypes.week]: { displayEventEnd: false },
  },
  // Times are converted by the page, because the library knows only UTC and the browser's time zone.
  timeZone: 'UTC',
  headerToolbar: false,
  nowIndicator: true,
  navLinks: true,
  navLinkDayClick: viewTypes.day,
  // The popover of the library uses a font that the content security policy does not allow.
  moreLinkClick: viewTypes.day,
  dayMaxEvents: true,
  eventInteractive: true,
  selectMirror: true,
  // The selection stays visible while the user chooses what to create.
  unselectAuto: false,
  longPressDelay: 400,
  scrollTime: '07:00:00',
  slotDuration: '00:30:00',
  // One line of text.
  eventMinHeight: 20,
  // An event of half an hour has no room for its time above the title.
  eventShortHeight: 46,
  snapDuration: { minutes: stepMinutes },
  eventDidMount: describeEvent,
  viewDidMount: ({ el }) => makeScrollable(el),
  dayHeaderDidMount: ({ el }) => nameButtons(el),
  dayCellDidMount({ el }) {
    nameButtons(el);
    // The label is only the number of the day, although the cell contains events.
    el.removeAttribute('aria-labelledby');
  },
  eventAllow: ({ allDay }, event) => !allDay || event?.extendedProps['mayLastDays'] === true,
  moreLinkDidMount: ({ el }) => el.setAttribute('role', 'button'),
};

/** Events in a grid or a list. Everything around it is up to the page. */
export function CalendarView(props: Props) {
  const t = useText();
  const { state, events, clock, locale } = props;
  const timeFormat = useMemo(() => timeFormatOf(locale), [locale]);
  // A new function would make the library reset its clock.
  const now = useCallback(() => clock.toWall(new Date()), [clock]);
  const calendar = useRef<FullCalendar>(null);
  const inputs = useMemo(() => events.map(toInput), [events]);
  const { handlers, held } = useHandlers(props, inputs);
  useEffect(() => {
    const api = calendar.current?.getApi();
    if (api === undefined) return;
    const isShown = api.view.type === viewTypes[state.view] && dayIn(api.getDate()) === state.date;
    if (!isShown) api.changeView(viewTypes[state.view], state.date);
  }, [state.view, state.date]);
  useEffect(() => {
    if (!props.isSelecting) calendar.current?.getApi().unselect();
  }, [props.isSelecting]);
  return (
    <div className="calendar" data-view={state.view}>
      <FullCalendar
        {...fixedOptions}
        {...handlers}
        ref={calendar}
        initialView={viewTypes[state.view]}
        initialDate={state.date}
        height={state.view === 'agenda' ? 'auto' : '100%'}
        locale={locale}
        eventTimeFormat={timeFormat}
        slotLabelFormat={timeFormat}
        firstDay={props.weekStart}
        now={now}
        noEventsText={t('calendar.empty')}
        events={held ?? inputs}
        selectable={props.mayCreate}
      />
    </div>
  );
}

/** Returns the format of times that the rest of the console uses: 9:00 AM, but 09:00 in German. */
function timeFormatOf(locale: string) {
  const nine = new Date('2030-01-31T09:00:00Z');
  const parts = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  const hour = parts.formatToParts(nine).find(({ type }) => type === 'hour')?.value;
  return { hour: hour === '09' ? '2-digit' : 'numeric', minute: '2-digit' } as const;
}

/**
 * Returns handlers that stay the same, because the library renders everything again after each change of an option. While
 * the user drags an event, `held` has the events to show: replacing them would end the drag.
 */
function useHandlers(props: Props, inputs: EventInput[]) {
  const latest = useRef({ ...props, inputs });
  useLayoutEffect(() => {
    latest.current = { ...props, inputs };
  });
  const [held, setHeld] = useState<EventInput[]>();
  const handlers = useMemo((): CalendarOptions => {
    const hold = (): void => setHeld(latest.current.inputs);
    const release = (): void => setHeld(undefined);
    return {
      datesSet: ({ view }) => latest.current.onShow(periodOf(view, latest.current.locale)),
      eventClick({ el, event, jsEvent }) {
        jsEvent.preventDefault();
        latest.current.onOpen(event.id, el.getBoundingClientRect());
      },
      eventDragStart: hold,
      eventDragStop: release,
      eventResizeStart: hold,
      eventResizeStop: release,
      eventChange: ({ event }) => latest.current.onMove(event.id, spanIn(event)),
      select({ jsEvent, ...selected }) {
        const point = { x: jsEvent?.clientX ?? 0, y: jsEvent?.clientY ?? 0 };
        latest.current.onSelect(withoutClick(spanIn(selected)), DOMRect.fromRect(point));
      },
    };
  }, []);
  return { handlers, held };
}

/** Returns the focus to an event, whose element may have been replaced, unless something else has the focus. */
export function focusEvent(key: string): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[${keyAttribute}="${CSS.escape(key)}"]`)?.focus();
}

/** A click selects one step, but does not mean that the user chose an end. */
function withoutClick(span: Span): Span {
  const isClick = !span.isAllDay && span.end === shifted(span, { minutes: stepMinutes }).start;
  return isClick ? { ...span, end: null } : span;
}

function viewOf(type: string): View {
  return (
    Object.keys(viewTypes).find((name): name is View => viewTypes[name as View] === type) ?? 'week'
  );
}

function periodOf(view: ViewApi, locale: string): Period {
  return {
    view: viewOf(view.type),
    date: dayIn(view.calendar.getDate()),
    title: titleOf(view, locale),
    start: dayIn(view.activeStart),
    end: dayIn(view.activeEnd),
  };
}

/** Names the period. The library writes ranges of days without the punctuation of the language. */
function titleOf({ type, title, currentStart, currentEnd }: ViewApi, locale: string): string {
  if (type !== viewTypes.week && type !== viewTypes.agenda) return title;
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, day).formatRange(
    currentStart,
    new Date(currentEnd.getTime() - 1),
  );
}

function dayIn(marker: Date): string {
  return dayOf(wallOf(marker.getTime()));
}

function spanIn(event: {
  readonly start: Date | null;
  readonly end: Date | null;
  readonly allDay: boolean;
}): Span {
  const { start, end, allDay: isAllDay } = event;
  const textOf = (marker: Date): string => (isAllDay ? dayIn(marker) : wallOf(marker.getTime()));
  return { isAllDay, start: start === null ? '' : textOf(start), end: end && textOf(end) };
}

function toInput(placed: PlacedEvent): EventInput {
  const { event, span, color, label, whyFixed, mayLastDays } = placed;
  const { isAllDay, start, end } = span;
  const isMovable = whyFixed === undefined;
  const minutes = end === null ? Number.NaN : (markerOf(end) - markerOf(start)) / 60_000;
  return {
    id: event.key,
    title: event.name ?? event.id,
    allDay: isAllDay,
    start,
    ...(end === null ? {} : { end }),
    editable: isMovable,
    // A single time, such as a due date, has no length.
    durationEditable: isMovable && end !== null,
    backgroundColor: `color-mix(in srgb, var(--mantine-color-${color}-filled) 18%, var(--mantine-color-body))`,
    borderColor: `var(--mantine-color-${color}-filled)`,
    textColor: 'var(--mantine-color-text)',
    classNames: [`calendar-${progressOf(event)}`, ...(minutes < 30 ? ['calendar-one-line'] : [])],
    extendedProps: { mayLastDays, hint: [label, whyFixed].join('\n').trim() },
  };
}

/** Makes an event a button with a full description. Its name is the text that it shows. */
function describeEvent({ el, event, isMirror }: EventMountArg): void {
  const button = el.matches('a') ? el : el.querySelector('a');
  if (isMirror || button === null) return;
  button.setAttribute('role', 'button');
  button.setAttribute('aria-haspopup', 'dialog');
  button.setAttribute(keyAttribute, event.id);
  button.title = String(event.extendedProps['hint']);
}

/** The library's links to a day have no address, so they are buttons. */
function nameButtons(cell: HTMLElement): void {
  for (const link of cell.querySelectorAll('a[data-navlink][tabindex]')) {
    link.setAttribute('role', 'button');
  }
}

/** Lets keyboard users scroll the hours of a day, which are the group of rows in place of the whole table body. */
function makeScrollable(view: HTMLElement): void {
  const scroller = view.querySelector<HTMLElement>('.fc-timegrid-body')?.closest('.fc-scroller');
  scroller?.setAttribute('tabindex', '0');
  scroller?.setAttribute('role', 'rowgroup');
  scroller?.closest('tbody')?.setAttribute('role', 'presentation');
}
