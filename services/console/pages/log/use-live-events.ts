import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { type EventFilter, type LoggedChange, openEvents } from '../../api/system.ts';
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
    let received: LoggedChange[] = [];
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

/** `away`: the stream was interrupted and is being reopened. */
export type Connection = 'away' | 'connecting' | 'open';

interface Follower {
  readonly onEvent: (event: LoggedChange) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Called when events may have been missed. */
  readonly onGap: () => void;
  /** Called when the server rejects the stream, for example after the session has ended. */
  readonly onRejected: () => void;
}

const reopenAfterMs = 3_000;
const tabsWithLog = 'annals-log';

/**
 * Follows the log until the returned function is called.
 *
 * A stream occupies one of the six connections that a browser opens to a server for all tabs together. A tab that opens
 * a stream notifies the others, and hidden tabs then close theirs. They reopen it when they become visible.
 */
function followEvents(filter: Partial<EventFilter>, follower: Follower): () => void {
  const tabs = new BroadcastChannel(tabsWithLog);
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout>;

  const open = (): void => {
    follower.onConnection('connecting');
    const opened = openEvents(filter);
    opened.onopen = () => follower.onConnection('open');
    opened.onmessage = ({ data }) => follower.onEvent(JSON.parse(data));
    opened.onerror = () => {
      follower.onConnection('away');
      follower.onGap();
      // The browser reconnects automatically unless the server has rejected the stream.
      if (opened.readyState !== EventSource.CLOSED) return;
      follower.onRejected();
      reopening = setTimeout(open, reopenAfterMs);
    };
    source = opened;
    tabs.postMessage('opened');
  };
  const close = (): void => {
    clearTimeout(reopening);
    source?.close();
    source = undefined;
  };
  const look = (): void => {
    if (document.hidden || source !== undefined) return;
    follower.onGap();
    open();
  };

  tabs.onmessage = () => {
    if (document.hidden) close();
  };
  document.addEventListener('visibilitychange', look);
  open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    tabs.close();
    close();
  };
}
