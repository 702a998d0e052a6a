import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import type { EventFilter, LiveEvent } from '../../api/system.ts';
import { type Connection, followEvents } from './follow-events.ts';
import { emptyBuffer, maxRows, reduceBuffer } from './live-buffer.ts';

/** Minimum interval between updates of the screen. */
const showEveryMs = 500;

/** Follows the log while the page is open, starting with new events. */
export function useLiveEvents({ entityType, id, userId, type }: Partial<EventFilter>) {
  const queries = useQueryClient();
  const [buffer, dispatch] = useReducer(reduceBuffer, emptyBuffer);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [hasGap, setGap] = useState(false);

  useEffect(() => {
    let received: LiveEvent[] = [];
    let count = 0;
    dispatch({ kind: 'clear' });
    setGap(false);
    const unfollow = followEvents(
      { entityType, id, userId, type },
      {
        onEvent: (event) => {
          received.push(event);
          count += 1;
          if (received.length > 2 * maxRows) received = received.slice(-maxRows);
        },
        onConnection: setConnection,
        onGap: () => setGap(true),
        onRejected: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      },
    );
    const showing = setInterval(() => {
      if (count > 0) dispatch({ kind: 'received', events: received, count });
      received = [];
      count = 0;
    }, showEveryMs);
    return () => {
      clearInterval(showing);
      unfollow();
    };
  }, [entityType, id, userId, type, queries]);

  return {
    buffer,
    connection,
    hasGap,
    pause: () => dispatch({ kind: 'pause' }),
    resume: () => dispatch({ kind: 'resume' }),
  };
}
