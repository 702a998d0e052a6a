import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { type EventFilter, type LiveEvent, openEvents } from '../../api/system.ts';
import { emptyBuffer, mostRows, reduceBuffer } from './live-buffer.ts';

/** `away`: the stream has ended, and is being opened again. */
export type Connection = 'away' | 'connecting' | 'open';

/** A busy log changes the screen no oftener. */
const showEveryMs = 500;
const openAgainMs = 3_000;

/** Follows the log from now on, for as long as the page is open. */
export function useLiveEvents({ entityType, id, userId, type }: Partial<EventFilter>) {
  const queries = useQueryClient();
  const [buffer, dispatch] = useReducer(reduceBuffer, emptyBuffer);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [hasGap, setGap] = useState(false);

  useEffect(() => {
    let came: LiveEvent[] = [];
    let count = 0;
    let source: EventSource;
    let again: ReturnType<typeof setTimeout>;
    const open = (): void => {
      source = openEvents({ entityType, id, userId, type });
      source.onopen = () => setConnection('open');
      source.onmessage = ({ data }) => {
        came.push(JSON.parse(data));
        count += 1;
        if (came.length > 2 * mostRows) came = came.slice(-mostRows);
      };
      source.onerror = () => {
        setConnection('away');
        setGap(true);
        // A browser comes again by itself, unless it was refused: the session may be over.
        if (source.readyState !== EventSource.CLOSED) return;
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
        again = setTimeout(open, openAgainMs);
      };
    };
    dispatch({ kind: 'clear' });
    setConnection('connecting');
    setGap(false);
    open();
    const showing = setInterval(() => {
      if (count > 0) dispatch({ kind: 'came', events: came, count });
      came = [];
      count = 0;
    }, showEveryMs);
    return () => {
      clearInterval(showing);
      clearTimeout(again);
      source.close();
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
