import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { randomHex } from '../../api/client.ts';
import type { Entity } from '../../api/metadata.ts';
import { type AnyRecord, recordQuery, updateRecord } from '../../api/records.ts';
import { recordRight } from '../../api/rights.ts';
import { type AppUser, useUser } from '../../api/session.ts';
import { untilWritten, useMarkUnread } from '../../api/write.ts';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import type { CalendarEvent } from './calendar-events.ts';
import { onlyTimeOf, type Span, type Times, valuesAt } from './event-spans.ts';
import type { ZoneClock } from './zone-clock.ts';

interface Move {
  readonly event: CalendarEvent;
  readonly entity: Entity;
  readonly span: Span;
}

const timeAttributes = ['dateStart', 'dateStartDate', 'dateEnd', 'dateEndDate'] as const;

/**
 * Stores new times of events. `moved` has the times to show, by the key of the event, until the calendar is loaded
 * again, so that events do not jump back.
 */
export function useMoveEvent(clock: ZoneClock) {
  const t = useText();
  const queries = useQueryClient();
  const session = useUser();
  const undo = useUndo();
  const markUnread = useMarkUnread();
  const [moved, setMoved] = useState<ReadonlyMap<string, Times>>(new Map());
  const mutationKey = ['move event'];
  const { mutate } = useMutation({
    mutationKey,
    // A later move of the same event must not overtake an earlier one.
    scope: { id: 'move event' },
    async mutationFn({ event, entity, values }: Move & { readonly values: Values }) {
      const latest = { ...recordQuery(entity.name, event.id), staleTime: 0 };
      const { record, tag } = await queries.fetchQuery(latest);
      const reason = whyUnmovable({ event, entity, record, session });
      if (reason !== undefined) throw new Error(t(reason));
      const changed = changedIn(values, record);
      const before = Object.fromEntries(
        Object.keys(changed).map((name) => [name, record[name] ?? null]),
      );
      const place = { entity: entity.name, id: event.id };
      if (Object.keys(changed).length === 0) return undefined;
      const update = updateRecord({ ...place, tag, key: randomHex(16) }, changed);
      return { place, before, written: await untilWritten(update) };
    },
    async onSuccess(done, { event }) {
      if (done === undefined) return;
      const { place, before, written } = done;
      if (written.kind === 'readable') await undo.afterUpdate(place, before);
      else void markUnread({ ...place, name: event.name ?? event.id, token: written.token });
    },
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: t('calendar.notMoved'),
        message: <ErrorDetails error={error} />,
      }),
    async onSettled() {
      await queries.invalidateQueries({ queryKey: ['records'] });
      // Another move may have started in the meantime.
      if (queries.isMutating({ mutationKey }) <= 1) setMoved(new Map());
    },
  });
  return {
    moved,
    move({ event, entity, span }: Move): void {
      const values = valuesAt(span, { entity, clock, only: onlyTimeOf(event) });
      const times = Object.fromEntries(
        timeAttributes.map((name) => [name, name in values ? values[name] : event[name]]),
      );
      setMoved((before) => new Map([...before, [event.key, times]]));
      mutate({ event, entity, span, values });
    },
  };
}

/** The calendar may be older than the record, and does not have all that decides about rights. */
function whyUnmovable(move: {
  readonly event: CalendarEvent;
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly session: AppUser;
}) {
  const { event, entity, record, session } = move;
  const isCurrent = timeAttributes.every(
    (name) => (record[name] ?? null) === (event[name] ?? null),
  );
  if (!isCurrent) return 'calendar.changed';
  const { isGranted, level } = recordRight(session, { entity, record, action: 'edit' });
  if (isGranted) return undefined;
  return level === 'team' ? 'record.editTeam' : 'record.editOwn';
}

function changedIn(values: Values, record: AnyRecord): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => (record[name] ?? null) !== value),
  );
}
