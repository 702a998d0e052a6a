import { randomBytes, randomFillSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { findCommandByKey, findCommandByRequest } from '../../../shared/db/find-command.ts';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import type { ProjectionWatch } from '../../../shared/db/projection-watch.ts';
import {
  type RecordName,
  readQuarantined,
  requireNotQuarantined,
} from '../../../shared/db/quarantine.ts';
import { readRecordState } from '../../../shared/db/read-record-state.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import { changedBy } from '../../../shared/domain/record/record-event.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import type { LogGuard } from '../../../shared/installation/guard-log.ts';
import { type KafkaAddress, versionsOf } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { Backlog } from './backlog.ts';
import { CommandMemory, type FoundCommand } from './memory/command-memory.ts';
import { RecordCache } from './memory/record-cache.ts';
import { openPartitionLog, type PartitionLog } from './partition-log.ts';
import { PartitionWriter } from './partition-writer.ts';
import type { RequireRoom } from './require-room.ts';
import { createStartPosition } from './start-position.ts';
import type { Submission } from './submission.ts';

export interface WriterDeps {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly pool: Pool;
  readonly projection: ProjectionWatch;
  readonly directory: Directory;
  readonly follower: DirectoryFollower;
  /** Address of this process's internal listener. */
  readonly address: string;
  readonly guard: LogGuard;
  readonly log: Logger;
  readonly now: () => number;
  readonly requireRoom: RequireRoom;
}

/** Wraps a writer's log to measure it. */
type Measured = (log: PartitionLog) => PartitionLog;

const CACHED_RECORDS = 20_000;
const CACHED_DIRECTORY_RECORDS = 2_000;
const REMEMBERED_COMMANDS = 10_000;
/**
 * Maximum size, per partition, of the events that the projector has not yet passed. Records are a few times larger in
 * memory.
 */
const MAX_BACKLOG_BYTES = 32 * 1024 * 1024;
const MAX_BATCH_BYTES = 900_000;
/** Exceeds the lifetime of any command, even if clocks differ. */
const LONGEST_COMMAND_MS = 600_000;

/**
 * Opens the writer for one partition of the records log. The writer reads records from Postgres if its overlay lacks
 * them.
 */
export function openRecordsWriter(
  deps: WriterDeps,
  measured: Measured,
  partition: number,
): PartitionWriter {
  const { directory, pool, topics } = deps;
  const at = { topic: topics.records, partition };
  const common = openCommon(deps, measured, at);
  const cache = new RecordCache({
    ...common,
    async read({ entityType, id }) {
      const model = directory.entity(entityType);
      const state = model && (await readRecordState(pool, { model, id }, directory.entity));
      if (state === undefined) await requireNotQuarantined(pool, { entityType, id });
      return state;
    },
    maxEntries: CACHED_RECORDS,
  });
  const positions = () => orUnavailable(loadPositionsSoFar(pool));
  return new PartitionWriter({
    ...common,
    cache,
    startFrom: createStartPosition({ ...common, positions, end: common.log.end }, at),
    limits: { maxEvents: 1000, maxBytes: MAX_BATCH_BYTES },
  });
}

/**
 * Opens the writer of the directory. It decides one command per batch, and only when the directory in memory has all
 * entries of the log, so that rules that span several records (unique names, webhooks per user) are exact.
 */
export function openDirectoryWriter(deps: WriterDeps, measured: Measured): PartitionWriter {
  const { directory, follower, topics } = deps;
  const cache = new RecordCache({
    read: async ({ entityType, id }) => directory.record(entityType, id),
    projected: follower.offset,
    waitProjected: (offset) => follower.waitFor(offset + 1n),
    maxEntries: CACHED_DIRECTORY_RECORDS,
  });
  return new PartitionWriter({
    ...openCommon(deps, measured, { topic: topics.directory, partition: 0 }),
    cache,
    startFrom: async () => ({ ...emptyFold, offset: 0n }),
    beforeDeciding: ({ offset }) => follower.waitFor(offset),
    limits: { maxEvents: 1, maxBytes: MAX_BATCH_BYTES },
  });
}

/**
 * Opens the parts that both kinds of writers share: the log, and the memory for commands that Postgres may not have
 * yet.
 */
function openCommon(
  deps: WriterDeps,
  measured: Measured,
  at: { readonly topic: string; readonly partition: number },
) {
  const { address, guard, kafka, log, now, pool, projection, requireRoom } = deps;
  const { topic, partition } = at;
  const projected = () => projection.projected(topic, partition);
  return {
    log: measured(openPartitionLog(kafka, at, log)),
    owner: `${process.pid}`,
    address,
    seals: guard.seals,
    versions: versionsOf(kafka),
    obstacle: () => toObstacle(guard.problem()),
    newToken: () => randomBytes(8).toString('hex'),
    newEventId: createEventIds(),
    now,
    logger: log,
    requireRoom,
    findModel: deps.directory.entity,
    pause: () => sleep(50 + Math.random() * 150),
    projected,
    quarantine: {
      mayHold: projection.mayBeQuarantined,
      async requireFree(record: RecordName) {
        await requireNotQuarantined(pool, record);
        projection.release(record);
      },
      read: async (record: RecordName) => (await readQuarantined(pool, record))?.state,
    },
    waitProjected: (offset: bigint) => projection.passed(topic, partition, offset),
    findCommand: (submission: Submission) => findCommand(pool, submission),
    commands: new CommandMemory({ projected, maxEntries: REMEMBERED_COMMANDS }),
    backlog: new Backlog({ projected, maxBytes: MAX_BACKLOG_BYTES }),
  };
}

async function findCommand(pool: Pool, submission: Submission): Promise<FoundCommand | undefined> {
  const { actorId, commandId, correlationId, entityType, recordId: id } = submission;
  const found =
    commandId === null
      ? await findCommandByRequest(
          pool,
          { entityType, id },
          { correlationId: correlationId ?? '', since: submission.deadline - LONGEST_COMMAND_MS },
        )
      : await findCommandByKey(pool, commandKey(actorId, commandId));
  if (found === undefined) return undefined;
  const { event, state } = found;
  return { hash: event.commandHash, state, changed: changedBy(event) };
}

function toObstacle(problem: string | undefined): Unavailable | undefined {
  if (problem === undefined) return undefined;
  return new Unavailable(`Nothing can be written: ${problem}. An operator has to fix this.`);
}

const ID_BYTES = 16;
const POOLED_IDS = 256;

/** Creates UUIDv7s. Draws the random bytes for many ids together, because this halves the cost of an id. */
function createEventIds(): () => string {
  const pool = new Uint8Array(ID_BYTES * POOLED_IDS);
  let used = pool.length;

  function random(): Uint8Array {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += ID_BYTES;
    return pool.subarray(used - ID_BYTES, used);
  }

  return () => v7({ rng: random });
}
