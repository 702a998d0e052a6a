import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import type { EventFilter, LiveEvent } from '../../api/system.ts';
import { type Connection, followEvents } from './follow-events.ts';
import { emptyBuffer, mostRows, reduceBuffer } from './live-buffer.ts';

/** A busy log changes the screen no oftener. */
const showEveryMs = 500;

/** Follows the log from now on, for as long as the page is open. */
export function useLiveEvents({ entityType, id, userId, type }: Partial<EventFilter>) {
  const queries = useQueryClient();
  const [buffer, dispatch] = useReducer(reduceBuffer, emptyBuffer);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [hasGap, setGap] = useState(false);

  useEffect(() => {
    let came: LiveEvent[] = [];
    let count = 0;
    dispatch({ kind: 'clear' });
    setGap(false);
    const unfollow = followEvents(
      { entityType, id, userId, type },
      {
        onEvent: (event) => {
          came.push(event);
          count += 1;
          if (came.length > 2 * mostRows) came = came.slice(-mostRows);
        },
        onConnection: setConnection,
        onGap: () => setGap(true),
        onRefused: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      },
    );
    const showing = setInterval(() => {
      if (count > 0) dispatch({ kind: 'came', events: came, count });
      came = [];
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
    goOn: () => dispatch({ kind: 'goOn' }),
  };
}
