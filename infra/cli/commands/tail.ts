import { setTimeout as sleep } from 'node:timers/promises';
import {
  advance,
  countAhead,
  findHeads,
  type Head,
} from '../../../services/system/tail/find-heads.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositionsSoFar, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import {
  type Directory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { isWanted } from '../../../shared/events/event-filter.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type PartitionPosition,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import type { CommandContext } from '../command-context.ts';
import { describePostgresError } from '../describe-postgres-error.ts';
import type { Installation } from '../installation.ts';
import { namesIn, toEventLine } from '../tail/event-line.ts';
import { createRecordNames, type RecordNames } from '../tail/record-names.ts';
import { takeInOrder } from '../tail/take-in-order.ts';
import { UsageError } from '../usage-error.ts';

interface EventFilter {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly entity?: string;
  readonly id?: string;
  /** The id or name of the user. */
  readonly user?: string;
  /** In lower case. */
  readonly type?: string;
}

interface TailOptions extends Omit<EventFilter, 'since'> {
  readonly from?: Date;
  readonly follow: boolean;
}

const IDLE_MS = 100;
const NAMES_PER_LOOKUP = 500;

/**
 * `annals tail`: shows the valid record events in the log, with past events in order of time. A fold state is needed to
 * determine which entries are valid. The read model stores one with its positions, so reading starts there. Events
 * before these positions are read from the beginning of the log, and shown from the time `from` on.
 */
export async function tail(context: CommandContext, options: TailOptions): Promise<void> {
  const { kafka, topics, log } = context.installation;
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    await follower.catchUp();
    await showEvents(context, options, follower.directory);
  } finally {
    await follower.close();
  }
}

async function showEvents(
  context: CommandContext,
  options: TailOptions,
  directory: Directory,
): Promise<void> {
  const { installation } = context;
  const { kafka, topics, log, connect } = installation;
  const { follow, from, ...filter } = options;
  const since = from?.getTime() ?? (follow ? Date.now() : 0);
  const wants = createFilter(directory, { ...filter, since });
  const positions = from === undefined && follow ? await knownPositions(installation) : [];
  const names = createRecordNames(directory, connect);
  const connection = createKafkaConnection(kafka, log);
  try {
    const heads = await findHeads({ connection, topic: topics.records }, positions);
    const reading = showReading(context, heads);
    while (follow || countAhead(heads) > 0) {
      await readOn(connection, { heads, follow, wants });
      reading.update();
      const shown = takeInOrder(heads);
      if (shown.length > 0) reading.end();
      await print(context, shown, { directory, names });
    }
  } finally {
    await names.close();
    await connection.close();
  }
}

interface Reading {
  readonly heads: readonly Head[];
  readonly follow: boolean;
  readonly wants: (event: LoggedEvent) => boolean;
}

async function readOn(
  connection: KafkaConnection,
  { heads, follow, wants }: Reading,
): Promise<void> {
  const read = await readPartitions(connection, nextPlaces(heads, follow), liveRead);
  if (read.length === 0) await sleep(IDLE_MS);
  for (const found of read) {
    const head = heads[found.partition];
    advance(head, found, (event) => {
      if (wants(event)) head?.waiting.push(event);
    });
  }
}

/** Throws UsageError for an unknown entity type or user, because no event would ever match. */
function createFilter(
  directory: Directory,
  { since, entity, id, user, type }: EventFilter,
): (event: LoggedEvent) => boolean {
  if (entity !== undefined) requireRecords(directory, entity);
  const userId = user === undefined ? undefined : findUserId(directory, user);
  const filter = { entityType: entity, id, userId, type };
  return (event) => event.occurredAt >= since && isWanted(filter, event);
}

/** Accepts removed types as well, because their events are still in the log. */
function requireRecords(directory: Directory, entity: string): void {
  const log = directory.entity(entity)?.definition.log;
  if (log === 'directory') {
    throw new UsageError(`${entity} belongs to the directory; tail shows only changes of records.`);
  }
  if (log !== undefined || directory.record(entityDefinitionType, entity) !== undefined) return;
  const names = directory
    .entities()
    .flatMap(({ name, definition }) =>
      definition.log === 'directory' || definition.isInternal === true ? [] : [name],
    );
  throw new UsageError(
    `Entity type ${entity} does not exist. Entity types: ${names.sort().join(', ')}.`,
  );
}

function findUserId(directory: Directory, user: string): string {
  const found = directory.record('User', user) ?? directory.userByName(user);
  if (found !== undefined) return found.id;
  throw new UsageError(`User ${user} does not exist: see annals user list.`);
}

/**
 * Skips partitions whose events wait for those of other partitions, so that memory holds only one response per
 * partition.
 */
function nextPlaces(heads: readonly Head[], follow: boolean): readonly PartitionPosition[] {
  return heads
    .filter(({ waiting, at, end }) => waiting.length === 0 && (follow || at.offset < end))
    .map(({ at }) => at);
}

async function print(
  { isJson, output }: CommandContext,
  events: readonly LoggedEvent[],
  { directory, names }: { readonly directory: Directory; readonly names: RecordNames },
): Promise<void> {
  for (let start = 0; start < events.length; start += NAMES_PER_LOOKUP) {
    const some = events.slice(start, start + NAMES_PER_LOOKUP);
    await names.lookUp(some);
    for (const event of some) {
      names.learn(event);
      const named = { model: directory.entity(event.entityType), nameOf: names.of };
      output.print(
        isJson
          ? JSON.stringify({ ...event, names: namesIn(event, named) })
          : toEventLine(event, named),
      );
    }
  }
}

/**
 * Returns an empty list without a read model, or if Postgres does not respond. The log is then read from its beginning.
 */
async function knownPositions({ connect }: Installation): Promise<readonly ProjectedPosition[]> {
  try {
    return await withConnection(connect, loadPositionsSoFar);
  } catch (error) {
    if (error instanceof Unavailable || describePostgresError(error) !== undefined) return [];
    throw error;
  }
}

/** Shows progress until the first event is shown or the existing entries are read. */
function showReading({ progress }: CommandContext, heads: readonly Head[]) {
  const total = countAhead(heads);
  const shown = progress('Reading the log');
  let isOver = total === 0;
  if (!isOver) shown.update({ done: 0, total });
  const end = (): void => {
    isOver = true;
    shown.finish();
  };
  return {
    end,
    update(): void {
      if (isOver) return;
      const ahead = countAhead(heads);
      shown.update({ done: total - ahead, total });
      if (ahead === 0) end();
    },
  };
}
