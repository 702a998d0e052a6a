import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { toApiTime } from '../../language/local-time.ts';
import { type CalendarEvent, colorOf, eventsIn } from './calendar-events.ts';
import { mayLastDays, spanOf, type Times } from './event-spans.ts';
import { useSpanText } from './event-texts.ts';
import type { PlacedEvent } from './placed-events.ts';
import { timelineQuery } from './requests.ts';
import { useWhyFixed } from './why-fixed.ts';
import type { ZoneClock } from './zone-clock.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
}

interface Shown {
  readonly clock: ZoneClock;
  /** Days; undefined before the calendar has determined its period. */
  readonly period: { readonly start: string; readonly end: string } | undefined;
  readonly people: readonly Person[];
  readonly entities: readonly Entity[];
  readonly hiddenTypes: readonly string[];
  /** The times of events whose change is still being stored, by key. */
  readonly moved: ReadonlyMap<string, Times>;
}

/** Loads the events of a period, with all that the calendar shows of them. */
export function usePlacedEvents({ period, ...shown }: Shown) {
  const { clock, people, entities, hiddenTypes, moved } = shown;
  const t = useText();
  const spanText = useSpanText();
  const whyFixed = useWhyFixed();
  const timeAt = (day: string): string => toApiTime(clock.toMoment(day));
  const query = useQuery(
    timelineQuery({
      from: period === undefined ? '' : timeAt(period.start),
      to: period === undefined ? '' : timeAt(period.end),
      userIds: people.map(({ id }) => id),
      entityTypes: entities.map(({ name }) => name).filter((name) => !hiddenTypes.includes(name)),
    }),
  );
  const { data } = query;
  // The library renders all events again if the list is another one.
  const events = useMemo(
    () =>
      placeEvents(data ?? {}, {
        clock,
        people,
        entities,
        hiddenTypes,
        moved,
        t,
        spanText,
        whyFixed,
      }),
    [data, clock, people, entities, hiddenTypes, moved, t, spanText, whyFixed],
  );
  return { query, events };
}

interface Placing extends Omit<Shown, 'period'> {
  readonly t: ReturnType<typeof useText>;
  readonly spanText: ReturnType<typeof useSpanText>;
  readonly whyFixed: ReturnType<typeof useWhyFixed>;
}

function placeEvents(
  calendars: Parameters<typeof eventsIn>[0],
  placing: Placing,
): readonly PlacedEvent[] {
  const { people, hiddenTypes, moved } = placing;
  const userIds = people.map(({ id }) => id);
  return eventsIn(calendars, userIds)
    .filter(({ scope }) => !hiddenTypes.includes(scope))
    .flatMap((event) => placeEvent({ ...event, ...moved.get(event.key) }, placing));
}

/** Adds to an event all that the calendar shows of it. Returns an empty list for an event without a time. */
function placeEvent(event: CalendarEvent, placing: Placing): readonly PlacedEvent[] {
  const { clock, people, entities, t, spanText, whyFixed } = placing;
  const entity = entities.find(({ name }) => name === event.scope);
  const span = spanOf(event, clock);
  if (entity === undefined || span === undefined) return [];
  const reason = whyFixed(event, entity);
  const taking = people.filter(({ id }) => event.userIds.includes(id));
  const userNames = people.length > 1 ? taking.map(({ name }) => name) : [];
  const status = event.status ? [entity.optionOf('status', event.status)] : [];
  const parts = [event.name ?? event.id, spanText(span), entity.label, ...status, ...userNames];
  const among = {
    types: entities.map(({ name }) => name),
    userIds: people.map(({ id }) => id),
  };
  return [
    {
      event,
      span,
      userNames,
      color: colorOf(event, among),
      label: parts.join(', '),
      ...(reason === undefined ? {} : { whyFixed: t(reason) }),
      mayLastDays: mayLastDays(entity),
    },
  ];
}
