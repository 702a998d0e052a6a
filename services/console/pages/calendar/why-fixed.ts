import { useMemo } from 'react';
import type { Entity } from '../../api/metadata.ts';
import { recordRight, rightsOf } from '../../api/rights.ts';
import { type AppUser, useUser } from '../../api/session.ts';
import type { MessageKey } from '../../messages/en.ts';
import type { CalendarEvent } from './calendar-events.ts';

type Reason = MessageKey | undefined;

/**
 * Returns a function that explains why the user may not move an event; undefined if the user may, as far as the
 * calendar knows.
 */
export function useWhyFixed(): (event: CalendarEvent, entity: Entity) => Reason {
  const session = useUser();
  return useMemo(() => whyFixedFor(session), [session]);
}

function whyFixedFor(session: AppUser): (event: CalendarEvent, entity: Entity) => Reason {
  return (event, entity) => {
    const rights = rightsOf(session, entity.name);
    if (!rights.may('edit')) return 'calendar.noEdit';
    if (!rights.mayEditField('dateStart') || !rights.mayEditField('dateEnd')) {
      return 'calendar.noEditTimes';
    }
    const { id, assignedUserId } = event;
    const isReadable = 'assignedUser' in entity.fields;
    const record = isReadable ? { id, assignedUserId } : { id };
    const { isGranted } = recordRight(session, { entity, record, action: 'edit' });
    return isGranted ? undefined : 'record.editOwn';
  };
}
