import { type EventFilter, type LiveEvent, openEvents } from '../../api/system.ts';

/** `away`: the stream was interrupted and is being reopened. */
export type Connection = 'away' | 'connecting' | 'open';

interface Follower {
  readonly onEvent: (event: LiveEvent) => void;
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
export function followEvents(filter: Partial<EventFilter>, follower: Follower): () => void {
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
