import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import { inTime } from '../runtime/in-time.ts';
import { createShared } from '../runtime/share-answers.ts';
import { hasTable } from './find-tables.ts';
import { orOutage } from './outage-of.ts';
import { createClient, type DatabaseConfig } from './pool.ts';
import { loadPositionsSoFar } from './positions.ts';
import {
  loadQuarantine,
  type Quarantine,
  type QuarantinedEvent,
  type QuarantineNotice,
  quarantineChannel,
  type RecordName,
} from './quarantine.ts';
import { requireSession } from './require-session.ts';
import { liveSchema, projectedChannel } from './tables/read-model-names.ts';

/** Follows the projector's progress by LISTEN, and wakes callers that wait for an offset. */
export interface ProjectionWatch {
  /** Returns the offset below which every event is in Postgres. */
  projected(topic: string, partition: number): bigint;
  /** Resolves once the event at this offset is in Postgres. */
  passed(topic: string, partition: number, offset: bigint): Promise<void>;
  /** Returns whether the event at this offset is quarantined. Correct once `passed` resolves. */
  isEventQuarantined(topic: string, partition: number, offset: bigint): boolean;
  /** Returns whether the record might be quarantined; only Postgres has the definite answer. */
  mayBeQuarantined(record: RecordName): boolean;
  /** Removes a record that is no longer quarantined in Postgres. */
  release(record: RecordName): void;
  /**
   * Returns the latest reported reason why a projector cannot store the next entries; undefined while all projectors
   * continue.
   */
  obstacle(): string | undefined;
  /** Runs the readiness checks on the listening connection. Resolves promptly even if Postgres does not respond. */
  checks(): Promise<ReadModelChecks>;
  close(): Promise<void>;
}

interface Waiting {
  readonly offset: bigint;
  readonly resolve: () => void;
}

interface Watched {
  offset: bigint;
  waiting: Waiting[];
}

/**
 * NOTIFY channel for the reason why a projector cannot continue. The notification is repeated until the projector
 * continues.
 */
export const obstacleChannel = 'annals_obstacle';
/** A projector repeats its report more often than this. */
const OBSTACLE_KEPT_MS = 10_000;

const RECONNECT_AFTER_MS = 200;
const CHECK_WITHIN_MS = 1_000;

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
  const progress = createProgress();
  const quarantine = createQuarantineView();
  const obstacle = createObstacle();
  let client: Client | undefined;
  let closed = false;
  void connect();

  async function connect(): Promise<void> {
    const connecting = createClient(config);
    connecting.on('error', (err) =>
      log.warn({ err: orOutage(err) }, 'lost the connection for notifications'),
    );
    connecting.on('end', reconnect);
    connecting.on('notification', ({ channel, payload = '' }) => {
      if (channel === obstacleChannel) obstacle.report(payload);
      else if (channel === quarantineChannel) onQuarantine(connecting, JSON.parse(payload));
      else onProjected(JSON.parse(payload));
    });
    try {
      await listen(connecting, config);
      // Applies the progress made while this process was not listening. The quarantine is read after the positions, so
      // it covers all events before them.
      const positions = await loadPositionsSoFar(connecting);
      quarantine.replace(await loadQuarantine(connecting));
      for (const { topic, partition, offset } of positions) {
        progress.advance(topic, partition, offset);
      }
      client = connecting;
    } catch (err) {
      log.warn({ err: orOutage(err) }, 'cannot listen to the projector yet');
      await connecting.end().catch(() => undefined);
      reconnect();
    }
  }

  function onProjected(notice: ProjectedNotice): void {
    obstacle.clear();
    for (const [topic, partition, next] of notice) progress.advance(topic, partition, BigInt(next));
  }

  function onQuarantine(listening: Client, notice: QuarantineNotice): void {
    if (notice !== 'reload') quarantine.apply(notice);
    else {
      loadQuarantine(listening).then(quarantine.replace, (err: unknown) =>
        log.warn({ err: orOutage(err) }, 'cannot load the quarantine'),
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
    projected: progress.offset,
    passed: progress.passed,
    isEventQuarantined: quarantine.hasEvent,
    mayBeQuarantined: quarantine.hasRecord,
    release: quarantine.drop,
    obstacle: obstacle.read,
    checks: createChecks(() => client),
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

/** Keeps the last report of a projector that cannot continue, until it expires or a projector continues. */
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

/** Tracks how far each partition has been projected, and which callers are waiting for later offsets. */
function createProgress() {
  const partitions = new Map<string, Watched>();

  function watched(topic: string, partition: number): Watched {
    const key = `${topic}/${partition}`;
    const known = partitions.get(key) ?? { offset: 0n, waiting: [] };
    partitions.set(key, known);
    return known;
  }

  return {
    offset: (topic: string, partition: number) => watched(topic, partition).offset,
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

/** Runs one query at a time, so that queries do not pile up while a server hangs. */
function createChecks(connected: () => Client | undefined): () => Promise<ReadModelChecks> {
  const check = createShared(0, async () => {
    const client = connected();
    return client === undefined ? unreachableReadModel : checkReadModel(client);
  });
  return () =>
    Promise.race([check(), sleep(CHECK_WITHIN_MS, unreachableReadModel, { ref: false })]);
}

/** The quarantined events and records of which this process was notified. */
function createQuarantineView() {
  const eventsOf = new Map<string, Set<string>>();
  const recordAt = new Map<string, string>();
  const entityTypes = new Set<string>();

  const recordKey = ({ entityType, id }: RecordName) => `${entityType}/${id}`;

  function add(event: QuarantinedEvent): void {
    const { topic, partition, offset } = event;
    const key = recordKey(event);
    const place = `${topic}/${partition}/${offset}`;
    const places = eventsOf.get(key) ?? new Set();
    eventsOf.set(key, places.add(place));
    recordAt.set(place, key);
  }

  function drop(record: RecordName): void {
    const key = recordKey(record);
    for (const place of eventsOf.get(key) ?? []) recordAt.delete(place);
    eventsOf.delete(key);
    entityTypes.delete(record.entityType);
  }

  return {
    drop,
    hasEvent: (topic: string, partition: number, offset: bigint) =>
      recordAt.size > 0 && recordAt.has(`${topic}/${partition}/${offset}`),
    hasRecord: (record: RecordName) =>
      (eventsOf.size > 0 && eventsOf.has(recordKey(record))) ||
      (entityTypes.size > 0 && entityTypes.has(record.entityType)),
    apply(notice: Exclude<QuarantineNotice, 'reload'>): void {
      if ('held' in notice) notice.held.forEach(add);
      else notice.released.forEach(drop);
    },
    replace(loaded: Quarantine): void {
      eventsOf.clear();
      recordAt.clear();
      entityTypes.clear();
      loaded.events.forEach(add);
      for (const name of loaded.entityTypes) entityTypes.add(name);
    },
  };
}

/** The readiness checks of the read model. Before a projector's first start it has no tables. */
interface ReadModelChecks {
  readonly postgres: boolean;
  readonly readModel: boolean;
}

const unreachableReadModel: ReadModelChecks = { postgres: false, readModel: false };

async function checkReadModel(connected: ClientBase | Pool): Promise<ReadModelChecks> {
  try {
    return { postgres: true, readModel: await hasTable(connected, `${liveSchema}.positions`) };
  } catch {
    return unreachableReadModel;
  }
}

export const PROJECTED_WITHIN_MS = 10_000;

/** Resolves when Postgres has the event at an offset; throws Unavailable if that takes too long. */
export function createUntilProjected(projection: ProjectionWatch) {
  return async (topic: string, partition: number, offset: bigint): Promise<void> => {
    if (projection.projected(topic, partition) > offset) return;
    await inTime(projection.passed(topic, partition, offset), PROJECTED_WITHIN_MS);
  };
}
