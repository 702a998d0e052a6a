import { type EventFilter, type LiveEvent, openEvents } from '../../api/system.ts';

/** `away`: the stream has ended, and is being opened again. */
export type Connection = 'away' | 'connecting' | 'open';

interface Follower {
  readonly onEvent: (event: LiveEvent) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Events may have come that are not shown. */
  readonly onGap: () => void;
  /** The session may be over. */
  readonly onRefused: () => void;
}

const openAgainMs = 3_000;
const tabsWithLog = 'annals-log';

/**
 * Follows the log until the returned function is called.
 *
 * A stream takes one of the six connections that a browser keeps to a server, for all of its tabs: whichever tab opens
 * one tells the others, and those that nobody sees close theirs. They open them again when they are looked at.
 */
export function followEvents(filter: Partial<EventFilter>, follower: Follower): () => void {
  const tabs = new BroadcastChannel(tabsWithLog);
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout>;

  const open = (): void => {
    follower.onConnection('connecting');
    const opened = openEvents(filter);
    opened.onopen = () => follower.onConnection('open');
    opened.onmessage = ({ data }) => follower.onEvent(JSON.parse(data));
    opened.onerror = () => {
      follower.onConnection('away');
      follower.onGap();
      // A browser comes again by itself, unless it was refused.
      if (opened.readyState !== EventSource.CLOSED) return;
      follower.onRefused();
      again = setTimeout(open, openAgainMs);
    };
    source = opened;
    tabs.postMessage('opened');
  };
  const close = (): void => {
    clearTimeout(again);
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
