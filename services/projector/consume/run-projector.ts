/**
 * read ──▶ fold ──▶ tables fit? ──▶ one statement ──▶ read
 *   ▲                                  │
 *   └── load positions ◀── moved by another, or Postgres or Kafka away (wait, try again for ever)
 *
 * One reader for all partitions, so that everything that waits goes into the same transaction. What a crash loses is
 * read again: positions move in the transaction of the rows.
 */
import type { Client } from 'pg';
import type { Logger } from 'pino';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { fold } from '../../../shared/events/fold.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type ReadPartition,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import type { MovedPosition } from './batch-statement.ts';
import type { LocatedEvent } from './collapse.ts';
import { ensurePositions, type RejectedEntry, storeBatch } from './store-batch.ts';

export interface ProjectorDeps {
  readonly kafka: KafkaConnection;
  readonly directory: DirectoryFollower;
  readonly topics: { readonly directory: string; readonly records: string };
  /** A new connection; the projector uses one at a time. */
  readonly connect: () => Promise<Client>;
  readonly schema: string;
  readonly log: Logger;
}

export interface Projector {
  /** Has read the log once since it was last able to. */
  isRunning(): boolean;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 250;

export function runProjector(deps: ProjectorDeps): Projector {
  let client: Client | undefined;
  let positions: readonly ProjectedPosition[] | undefined;
  let tablesRevision = -1;
  let running = false;
  let closed = false;
  const loop = run();

  async function run(): Promise<void> {
    while (!closed) {
      try {
        const connected = (client ??= await deps.connect());
        positions ??= await start(connected);
        positions = await projectOnce(connected, positions);
        running = true;
      } catch (err) {
        if (closed) return;
        running = false;
        await recover(err);
      }
    }
  }

  async function start(connected: Client): Promise<readonly ProjectedPosition[]> {
    await deps.directory.catchUp();
    await fitTables(connected);
    const partitions = await deps.kafka.partitionsOf(deps.topics.records);
    await ensurePositions(connected, deps.schema, [
      { topic: deps.topics.directory, partitions: 1 },
      { topic: deps.topics.records, partitions },
    ]);
    return loadPositions(connected);
  }

  async function projectOnce(
    connected: Client,
    from: readonly ProjectedPosition[],
  ): Promise<readonly ProjectedPosition[]> {
    const read = await readPartitions(deps.kafka, from, liveRead);
    if (read.length === 0) return from;
    await deps.directory.catchUp();
    await fitTables(connected);
    const { events, rejected, moved } = foldPartitions(read, from);
    await storeBatch(connected, {
      schema: deps.schema,
      events,
      rejected,
      moved,
      model: (entityType) => deps.directory.directory.entity(entityType),
    }, deps.log);
    const to = new Map(moved.map((one) => [`${one.to.topic}/${one.to.partition}`, one.to]));
    return from.map((position) => to.get(`${position.topic}/${position.partition}`) ?? position);
  }

  /** Tables follow the entity definitions; nothing is asked of Postgres while these stay as they are. */
  async function fitTables(connected: Client): Promise<void> {
    const { directory } = deps.directory;
    const revision = directory.revision();
    if (revision === tablesRevision) return;
    await ensureTables(connected, deps.schema, directory.entities());
    tablesRevision = revision;
  }

  async function recover(err: unknown): Promise<void> {
    deps.log.warn({ err }, 'projection interrupted');
    positions = undefined;
    tablesRevision = -1;
    const dropped = client;
    client = undefined;
    await dropped?.end().catch(() => undefined);
    if (!(err instanceof Unavailable) && !isDatabaseOutage(err)) throw err;
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }

  return {
    isRunning: () => running,
    async close() {
      closed = true;
      await deps.kafka.close();
      await loop;
      await client?.end();
    },
  };
}

interface FoldedPartitions {
  readonly events: readonly LocatedEvent[];
  readonly rejected: readonly RejectedEntry[];
  readonly moved: readonly MovedPosition[];
}

/** Directory first, so that what records refer to is there before them. */
function foldPartitions(
  read: readonly ReadPartition[],
  positions: readonly ProjectedPosition[],
): FoldedPartitions {
  const events: LocatedEvent[] = [];
  const rejected: RejectedEntry[] = [];
  const moved: MovedPosition[] = [];
  for (const from of positions) {
    const found = read.find(
      ({ topic, partition }) => topic === from.topic && partition === from.partition,
    );
    if (found === undefined) continue;
    let state = { token: from.token, sequence: from.sequence };
    for (const message of found.messages) {
      const at = { topic: from.topic, partition: from.partition, offset: message.offset };
      const bytes = message.value ?? Buffer.alloc(0);
      const entry = tryDecode(bytes);
      if (typeof entry === 'string') {
        rejected.push({ ...at, bytes, reason: entry });
        continue;
      }
      const next = fold(state, entry);
      if (next === undefined) continue;
      state = next;
      if (entry.kind === 'event') events.push({ ...at, event: entry.event, bytes });
    }
    moved.push({ from, to: { ...from, ...state, offset: found.nextOffset } });
  }
  return { events, rejected, moved };
}

/** The entry, or why it cannot be read. */
function tryDecode(bytes: Buffer) {
  try {
    return decodeLogEntry(bytes);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Lost connections, a server that starts or stops, and batches that another projector has stored. */
function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|53|55|57|40)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    code === 'AN001' ||
    /connection|timeout/i.test(error.message)
  );
}
