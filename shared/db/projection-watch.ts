import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { createShared } from '../runtime/share-answers.ts';
import { askReadModel, noAnswer, type ReadModelChecks } from './ask-read-model.ts';
import { orOutage } from './outage-of.ts';
import { createClient, type DatabaseConfig } from './pool.ts';
import { loadPositionsSoFar, type ProjectedPosition } from './positions.ts';
import { requireSession } from './require-session.ts';
import { projectedChannel } from './tables/read-model-names.ts';

/** Follows the projector's progress by LISTEN, and wakes callers that wait for an offset. */
export interface ProjectionWatch {
  /** Every event below this offset is in Postgres. */
  projected(topic: string, partition: number): bigint;
  /** How far the partitions are that this process was told of; undefined while it cannot listen. */
  known(): readonly Pick<ProjectedPosition, 'topic' | 'partition' | 'offset'>[] | undefined;
  /** Resolves once the event at this offset is in Postgres. */
  passed(topic: string, partition: number, offset: bigint): Promise<void>;
  /** The readiness checks, asked over the listening connection; resolves soon even if Postgres does not answer. */
  checks(): Promise<ReadModelChecks>;
  close(): Promise<void>;
}

interface Waiting {
  readonly offset: bigint;
  readonly resolve: () => void;
}

interface Watched {
  readonly topic: string;
  readonly partition: number;
  offset: bigint;
  waiting: Waiting[];
}

const RECONNECT_AFTER_MS = 200;
const ANSWER_WITHIN_MS = 1_000;

/** The projector's notification for a batch: topic, partition and next offset of each partition that advanced. */
export type ProjectedNotice = readonly (readonly [
  topic: string,
  partition: number,
  next: string,
])[];

export function watchProjection(
  config: Omit<DatabaseConfig, 'poolSize'>,
  log: Logger,
): ProjectionWatch {
  const reached = createReached();
  let client: Client | undefined;
  let closed = false;
  void connect();

  async function connect(): Promise<void> {
    const connecting = createClient(config);
    connecting.on('error', (err) =>
      log.warn({ err: orOutage(err) }, 'connection for notices lost'),
    );
    connecting.on('end', reconnect);
    connecting.on('notification', ({ payload }) => {
      const notice: ProjectedNotice = JSON.parse(payload ?? '[]');
      for (const [topic, partition, next] of notice)
        reached.advance(topic, partition, BigInt(next));
    });
    try {
      await connecting.connect();
      await requireSession(connecting, config);
      await connecting.query(`listen ${projectedChannel}`);
      // Progress that was notified while this process was not listening.
      for (const { topic, partition, offset } of await loadPositionsSoFar(connecting)) {
        reached.advance(topic, partition, offset);
      }
      client = connecting;
    } catch (err) {
      log.warn({ err: orOutage(err) }, 'cannot listen for the projector yet');
      await connecting.end().catch(() => undefined);
      reconnect();
    }
  }

  let reconnecting: NodeJS.Timeout | undefined;
  function reconnect(): void {
    client = undefined;
    if (closed) return;
    clearTimeout(reconnecting);
    reconnecting = setTimeout(() => void connect(), RECONNECT_AFTER_MS);
  }

  return {
    projected: reached.offset,
    known: () => (client === undefined ? undefined : reached.all()),
    passed: reached.passed,
    checks: createQuestion(() => client),
    async close() {
      closed = true;
      clearTimeout(reconnecting);
      await client?.end();
    },
  };
}

/** How far each partition is projected, and who waits for more. */
function createReached() {
  const partitions = new Map<string, Watched>();

  function watched(topic: string, partition: number): Watched {
    const key = `${topic}/${partition}`;
    const known = partitions.get(key) ?? { topic, partition, offset: 0n, waiting: [] };
    partitions.set(key, known);
    return known;
  }

  return {
    offset: (topic: string, partition: number) => watched(topic, partition).offset,
    all: (): readonly Watched[] => [...partitions.values()],
    advance(topic: string, partition: number, offset: bigint): void {
      const entry = watched(topic, partition);
      if (offset <= entry.offset) return;
      entry.offset = offset;
      if (entry.waiting.length === 0) return;
      const { waiting } = entry;
      entry.waiting = [];
      for (const one of waiting) {
        if (one.offset < offset) one.resolve();
        else entry.waiting.push(one);
      }
    },
    passed(topic: string, partition: number, offset: bigint): Promise<void> {
      const entry = watched(topic, partition);
      if (entry.offset > offset) return Promise.resolve();
      return new Promise((resolve) => {
        entry.waiting.push({ offset, resolve });
      });
    },
  };
}

/** One query at a time, so that they do not pile up while a server hangs. */
function createQuestion(connected: () => Client | undefined): () => Promise<ReadModelChecks> {
  const ask = createShared(0, async () => {
    const client = connected();
    return client === undefined ? noAnswer : askReadModel(client);
  });
  return () => Promise.race([ask(), sleep(ANSWER_WITHIN_MS, noAnswer, { ref: false })]);
}
