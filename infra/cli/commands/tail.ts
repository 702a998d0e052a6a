import { setTimeout as sleep } from 'node:timers/promises';
import { loadPositionsSoFar, type ProjectedPosition } from '../../../shared/db/positions.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type ReadMessage,
  type ReadPartition,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { describePostgresError } from '../describe-postgres-error.ts';
import type { Installation } from '../installation.ts';
import { toEventLine } from '../tail/event-line.ts';
import { countAhead, findHeads, type Head } from '../tail/find-heads.ts';
import { createIsWanted, type EventFilter } from '../tail/wanted-events.ts';

export interface TailOptions extends EventFilter {
  readonly from?: Date;
  readonly follow: boolean;
}

const IDLE_MS = 100;

/**
 * `annals tail`: events of records as they stand in the log, those that count and no others. The rule which do needs a
 * state, and the read model keeps it where it has come to: reading starts there. Only what lies before that is read from
 * the beginning of the log; `from` says from when on it is shown.
 */
export async function tail(context: CommandContext, options: TailOptions): Promise<number> {
  const { installation, isJson, output } = context;
  const { kafka, topics, log } = installation;
  const isWanted = await createIsWanted(installation, options);
  const isPast = options.from !== undefined || !options.follow;
  const positions = isPast ? [] : await knownPositions(installation);
  const showsFrom = options.from?.getTime() ?? (options.follow ? Date.now() : 0);
  const connection = createKafkaConnection(kafka, log);
  try {
    const heads = await findHeads({ connection, topic: topics.records }, positions);
    const reading = showReading(context, heads);
    const show = (event: LoggedEvent): void => {
      if (event.occurredAt < showsFrom || !isWanted(event)) return;
      reading.end();
      output.print(isJson ? JSON.stringify(event) : toEventLine(event));
    };
    while (options.follow || countAhead(heads) > 0) {
      const places = heads.map(({ at }) => at);
      const read = await readPartitions(connection, places, liveRead);
      if (read.length === 0) await sleep(IDLE_MS);
      for (const found of read) advance(heads[found.partition], found, show);
      reading.update();
    }
  } finally {
    await connection.close();
  }
  return 0;
}

/** None where there is no read model, or Postgres tells nothing of it: then the log is read from its beginning. */
async function knownPositions({ connect }: Installation): Promise<readonly ProjectedPosition[]> {
  try {
    const client = await connect();
    try {
      return await loadPositionsSoFar(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    if (error instanceof OperatorError || describePostgresError(error) !== undefined) return [];
    throw error;
  }
}

/** Until the first event is shown, or everything that was there is read. */
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

function advance(
  head: Head | undefined,
  { messages, nextOffset }: ReadPartition,
  show: (event: LoggedEvent) => void,
): void {
  if (head === undefined) return;
  for (const message of messages) head.state = take(head.state, message, show);
  head.at = { ...head.at, offset: nextOffset };
}

function take(
  state: FoldState,
  message: ReadMessage,
  show: (event: LoggedEvent) => void,
): FoldState {
  const taken = takeMessage(state, message);
  if (taken.entry?.kind === 'event') show(taken.entry.event);
  return taken.state;
}
