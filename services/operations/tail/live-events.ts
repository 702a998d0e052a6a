import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { liveRead, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import { toLogAddress } from '../installation/log-address.ts';
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
  /** Told of every event that counts, from now on, until the returned function is called. */
  subscribe(listener: Listener): () => void;
  /** Ends reading. */
  close(): Promise<void>;
}

const IDLE_MS = 100;
const AGAIN_AFTER_MS = 1_000;

/** Events of records as they come into the log. It is read while somebody listens, once for all of them. */
export function followLiveEvents(observed: Observed): LiveEvents {
  const listeners = new Set<Listener>();
  let reading: Promise<void> | undefined;

  /** From where the tables are, which know the state in which the rule that tells which events count goes on. */
  async function read(): Promise<void> {
    const { topics, log } = observed;
    const positions = await withConnection(observed.connect, loadPositionsSoFar);
    const connection = createKafkaConnection(await toLogAddress(observed), log);
    try {
      const heads = await findHeads({ connection, topic: topics.records }, positions);
      while (listeners.size > 0) {
        const places = heads.map(({ at }) => at);
        const found = await readPartitions(connection, places, liveRead);
        if (found.length === 0) await sleep(IDLE_MS);
        for (const part of found) {
          advance(heads[part.partition], part, (event, offset) => {
            const place = `${part.topic}/${part.partition}/${offset}`;
            for (const listener of listeners) listener.onEvent({ place, event });
          });
        }
      }
    } finally {
      await connection.close();
    }
  }

  async function readAgainAndAgain(): Promise<void> {
    while (listeners.size > 0) {
      try {
        await read();
      } catch (err) {
        if (!(err instanceof Unavailable)) observed.log.error({ err }, 'live events are not read');
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
    async close() {
      for (const { onEnd } of listeners) onEnd();
      listeners.clear();
      await reading;
    },
  };
}
