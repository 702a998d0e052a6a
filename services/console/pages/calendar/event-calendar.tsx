import { Alert, Box, LoadingOverlay } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import type { Entity } from '../../api/metadata.ts';
import { useLocale } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { useTimeSettings } from '../../language/time-settings.ts';
import { weekStartOf } from '../../parts/dates/month-days.ts';
import { LoadError } from '../../parts/page/load-error.tsx';
import { UnreadNotice } from '../../parts/unread-notice.tsx';
import type { CalendarState } from './calendar-state.ts';
import { CalendarView, focusEvent, type Period } from './calendar-view.tsx';
import { EventPreview } from './event-preview.tsx';
import type { Span } from './event-spans.ts';
import { NewEventAt } from './new-event.tsx';
import { useMoveEvent } from './use-move-event.tsx';
import { type Person, usePlacedEvents } from './use-placed-events.ts';
import { dayOf, type ZoneClock } from './zone-clock.ts';

interface Props {
  readonly clock: ZoneClock;
  readonly state: CalendarState;
  readonly period: Period | undefined;
  readonly people: readonly Person[];
  readonly entities: readonly Entity[];
  /** The entity types that the user may create. */
  readonly creatable: readonly Entity[];
  readonly hiddenTypes: readonly string[];
  readonly onShow: (period: Period) => void;
  readonly onChange: (change: Partial<CalendarState>) => void;
}

/** What is open next to the calendar: an event, or the choice of what to create. */
type Opened = { readonly place: DOMRect } & (
  | { readonly kind: 'event'; readonly key: string }
  | { readonly kind: 'new'; readonly span: Span }
);

/** Shows, moves and creates events. */
export function EventCalendar(props: Props) {
  const { clock, state, period, entities, creatable, onShow, onChange } = props;
  const { moved, move } = useMoveEvent(clock);
  const { query, events } = usePlacedEvents({ ...props, moved });
  const [opened, setOpened] = useState<Opened>();
  const locale = useLocale();
  const { weekStart } = useTimeSettings();
  const find = (key: string) => {
    const placed = events.find(({ event }) => event.key === key);
    const entity = entities.find(({ name }) => name === placed?.event.scope);
    return placed && entity && { placed, entity };
  };
  const moveTo = (key: string, span: Span): void => {
    const found = find(key);
    if (found === undefined) return;
    move({ event: found.placed.event, entity: found.entity, span });
    // The calendar follows an event that leaves the period.
    const day = dayOf(span.start);
    if (period && (day < period.start || day >= period.end)) onChange({ date: day });
  };
  const show = (shown: Period): void => {
    onShow(shown);
    const { view, date } = shown;
    if (view !== state.view || date !== state.date) onChange({ view, date });
  };
  const close = (): void => {
    setOpened(undefined);
    if (opened?.kind === 'event') requestAnimationFrame(() => focusEvent(opened.key));
  };
  const previewed = opened?.kind === 'event' ? find(opened.key) : undefined;
  return (
    <>
      {entities.map(({ name }) => (
        <UnreadNotice key={name} entity={name} />
      ))}
      <CalendarError {...query} isShared={props.people.length > 1} />
      <Box pos="relative">
        <LoadingOverlay visible={query.isLoading} zIndex={5} />
        <CalendarView
          state={state}
          events={events}
          locale={locale}
          weekStart={weekStart ?? weekStartOf(locale)}
          clock={clock}
          mayCreate={creatable.length > 0}
          isSelecting={opened?.kind === 'new'}
          onShow={show}
          onOpen={(key, place) => setOpened({ kind: 'event', key, place })}
          onMove={moveTo}
          onSelect={(span, place) => setOpened({ kind: 'new', span, place })}
        />
      </Box>
      {opened === undefined || previewed === undefined ? null : (
        <EventPreview
          {...previewed}
          place={opened.place}
          onMove={(span) => moveTo(previewed.placed.event.key, span)}
          onClose={close}
        />
      )}
      {opened?.kind === 'new' ? (
        <NewEventAt {...opened} clock={clock} entities={creatable} onClose={close} />
      ) : null}
    </>
  );
}

function CalendarError(props: {
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly isShared: boolean;
}) {
  const t = useText();
  const { error, refetch, isShared } = props;
  if (error === null) return null;
  const isDenied = error instanceof ApiError && error.code === 'access.denied' && isShared;
  return isDenied ? (
    <Alert color="yellow" role="alert">
      {t('calendar.denied')}
    </Alert>
  ) : (
    <LoadError error={error} onRetry={() => void refetch()} />
  );
}
