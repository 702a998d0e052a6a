import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { createShared } from '../runtime/share-answers.ts';
import { askReadModel, noAnswer, type ReadModelChecks } from './ask-read-model.ts';
import { orOutage } from './outage-of.ts';
import { createClient, type DatabaseConfig } from './pool.ts';
import { loadPositionsSoFar, type ProjectedPosition } from './positions.ts';
import {
  loadQuarantine,
  type QuarantineNotice,
  quarantineChannel,
  type RecordName,
} from './quarantine.ts';
import { createQuarantineView } from './quarantine-view.ts';
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
  /** Whether the event at this offset is quarantined: known once `passed` resolves. */
  isEventQuarantined(topic: string, partition: number, offset: bigint): boolean;
  /** Whether the record may be quarantined; Postgres has the last word. */
  mayBeQuarantined(record: RecordName): boolean;
  /** Notes that Postgres does not have the record in quarantine. */
  release(record: RecordName): void;
  /** Why a projector cannot store the next entries, as it reported a moment ago; undefined while all continue. */
  obstacle(): string | undefined;
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

/** NOTIFY channel for the reason why a projector cannot continue, repeated while it cannot. */
export const obstacleChannel = 'annals_obstacle';
/** A projector repeats its report at least this often. */
const OBSTACLE_KEPT_MS = 10_000;

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
  const quarantine = createQuarantineView();
  const obstacle = createObstacle();
  let client: Client | undefined;
  let closed = false;
  void connect();

  async function connect(): Promise<void> {
    const connecting = createClient(config);
    connecting.on('error', (err) =>
      log.warn({ err: orOutage(err) }, 'connection for notices lost'),
    );
    connecting.on('end', reconnect);
    connecting.on('notification', ({ channel, payload = '' }) => {
      if (channel === obstacleChannel) obstacle.report(payload);
      else if (channel === quarantineChannel) onQuarantine(connecting, JSON.parse(payload));
      else onProjected(JSON.parse(payload));
    });
    try {
      await listen(connecting, config);
      // Progress that was notified while this process was not listening. The quarantine is read after the positions, so that
      // it covers all events before them.
      const positions = await loadPositionsSoFar(connecting);
      quarantine.replace(await loadQuarantine(connecting));
      for (const { topic, partition, offset } of positions) {
        reached.advance(topic, partition, offset);
      }
      client = connecting;
    } catch (err) {
      log.warn({ err: orOutage(err) }, 'cannot listen for the projector yet');
      await connecting.end().catch(() => undefined);
      reconnect();
    }
  }

  function onProjected(notice: ProjectedNotice): void {
    obstacle.clear();
    for (const [topic, partition, next] of notice) reached.advance(topic, partition, BigInt(next));
  }

  function onQuarantine(listening: Client, notice: QuarantineNotice): void {
    if (notice !== 'reload') quarantine.apply(notice);
    else {
      loadQuarantine(listening).then(quarantine.replace, (err: unknown) =>
        log.warn({ err: orOutage(err) }, 'quarantine not loaded'),
      );
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
    isEventQuarantined: quarantine.hasEvent,
    mayBeQuarantined: quarantine.hasRecord,
    release: quarantine.drop,
    obstacle: obstacle.read,
    checks: createQuestion(() => client),
    async close() {
      closed = true;
      clearTimeout(reconnecting);
      await client?.end();
    },
  };
}

async function listen(
  client: Client,
  config: Parameters<typeof watchProjection>[0],
): Promise<void> {
  await client.connect();
  await requireSession(client, config);
  for (const channel of [projectedChannel, quarantineChannel, obstacleChannel]) {
    await client.query(`listen ${channel}`);
  }
}

/** The last report of a projector that cannot continue, until it is too old or a projector continues. */
function createObstacle() {
  let last: { readonly reason: string; readonly at: number } | undefined;
  return {
    report(reason: string): void {
      last = { reason, at: Date.now() };
    },
    clear(): void {
      last = undefined;
    },
    read: (): string | undefined =>
      last !== undefined && Date.now() - last.at < OBSTACLE_KEPT_MS ? last.reason : undefined,
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
