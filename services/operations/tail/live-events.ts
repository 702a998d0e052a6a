import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { liveRead, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import type { Observed } from '../installation/observed.ts';
import { advance, findHeads } from './find-heads.ts';

/** An event of a record, and where it stands in the log. */
export interface LiveEvent {
  /** `{topic}/{partition}/{offset}`. */
  readonly place: string;
  readonly event: LoggedEvent;
}

interface Listener {
  /** Must not throw. */
  readonly onEvent: (live: LiveEvent) => void;
  /** Nothing more comes: the process stops. */
  readonly onEnd: () => void;
}

export interface LiveEvents {
  /** Told of every event that counts, until the returned function is called: of none that came before `begun`. */
  subscribe(listener: Listener): () => void;
  /** Fulfilled once listeners miss nothing any more, or if reading failed, which is attempted again. For who listens. */
  begun(): Promise<void>;
  /** Ends reading. */
  close(): Promise<void>;
}

const IDLE_MS = 100;
const AGAIN_AFTER_MS = 1_000;

/** Events of records as they come into the log. It is read while somebody listens, once for all of them. */
export function followLiveEvents(observed: Observed): LiveEvents {
  const listeners = new Set<Listener>();
  let reading: Promise<void> | undefined;
  let beginning = Promise.withResolvers<void>();

  /** From where the tables are, which know the state in which the rule that tells which events count goes on. */
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
      beginAnew();
      await connection.close();
    }
  }

  /** Who waited goes on without; who comes from now on waits for the next time that it is read. */
  function beginAnew(): void {
    beginning.resolve();
    beginning = Promise.withResolvers();
  }

  async function readAgainAndAgain(): Promise<void> {
    while (listeners.size > 0) {
      try {
        await read();
      } catch (err) {
        if (!(err instanceof Unavailable)) observed.log.error({ err }, 'live events are not read');
        beginAnew();
        await sleep(AGAIN_AFTER_MS);
      }
    }
    reading = undefined;
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      reading ??= readAgainAndAgain();
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
