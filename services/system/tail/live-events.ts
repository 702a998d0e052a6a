import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { liveRead, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import { advance, findHeads } from './find-heads.ts';

/** An event of a record, and its place in the log. */
export interface LiveEvent {
  /** As `{topic}/{partition}/{offset}`. */
  readonly place: string;
  readonly event: LoggedEvent;
}

interface Listener {
  /** Must not throw. */
  readonly onEvent: (live: LiveEvent) => void;
  /** Called when the process stops. No event follows. */
  readonly onEnd: () => void;
}

export interface LiveEvents {
  /**
   * Sends every valid event to the listener until the returned function is called. May miss events until `begun`
   * resolves.
   */
  subscribe(listener: Listener): () => void;
  /**
   * Resolves once the current listeners no longer miss events, or when reading fails; reading is then retried. Must be
   * called after `subscribe`.
   */
  begun(): Promise<void>;
  close(): Promise<void>;
}

const IDLE_MS = 100;
const AGAIN_AFTER_MS = 1_000;

/** Follows new events of records. One reader serves all listeners, and reads only while there are any. */
export function followLiveEvents(observed: Observed): LiveEvents {
  const listeners = new Set<Listener>();
  let reading: Promise<void> | undefined;
  let beginning = Promise.withResolvers<void>();

  /** Starts at the projector's positions, because only the tables store the fold state that is needed to continue. */
  async function read(): Promise<void> {
    const { topics, log } = observed;
    const positions = await withConnection(observed.connect, loadPositionsSoFar);
    const connection = createKafkaConnection(await toLogAddress(observed), log);
    try {
      const heads = await findHeads({ connection, topic: topics.records }, positions);
      beginning.resolve();
      while (listeners.size > 0) {
        const places = heads.map(({ at }) => at);
        const found = await readPartitions(connection, places, liveRead);
        if (found.length === 0) await sleep(IDLE_MS);
        for (const part of found) {
          advance(heads[part.partition], part, (event, offset) => {
            const live = { place: `${part.topic}/${part.partition}/${offset}`, event };
            for (const listener of listeners) listener.onEvent(live);
          });
        }
      }
    } finally {
      resetBeginning();
      await connection.close();
    }
  }

  /** Resolves all pending calls of `begun`. Later calls wait for the next start. */
  function resetBeginning(): void {
    beginning.resolve();
    beginning = Promise.withResolvers();
  }

  async function readWithRetries(): Promise<void> {
    while (listeners.size > 0) {
      try {
        await read();
      } catch (err) {
        if (!(err instanceof Unavailable))
          observed.log.error({ err }, 'cannot read live events; retrying');
        resetBeginning();
        await sleep(AGAIN_AFTER_MS);
      }
    }
    reading = undefined;
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      reading ??= readWithRetries();
      return () => listeners.delete(listener);
    },
    begun: async () => beginning.promise,
    async close() {
      for (const { onEnd } of listeners) onEnd();
      listeners.clear();
      await reading;
    },
  };
}
