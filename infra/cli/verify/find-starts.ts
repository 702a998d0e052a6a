import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { tryDecode } from '../../../shared/events/decode-readable.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { Fence, LogEntry } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { offsetSince, type ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { type LogSource, readUpTo } from './fold-log.ts';

/**
 * Returns where each partition reaches this time, and the fold state there. The state is not in the log: it follows
 * from the state at the end and the fences in between, each of which names its predecessor.
 */
export async function findStarts(
  kafka: KafkaConnection,
  ends: readonly ProjectedPosition[],
  time: number,
): Promise<NonNullable<LogSource['starts']>> {
  const starts = new Map<string, { offset: bigint; state: FoldState }>();
  for (const end of ends) {
    const found = await offsetSince(kafka, end, time);
    const offset = found === undefined || found > end.offset ? end.offset : found;
    const state = await findState(kafka, end, offset);
    starts.set(`${end.topic}/${end.partition}`, { offset, state });
  }
  return starts;
}

async function findState(
  kafka: KafkaConnection,
  end: ProjectedPosition,
  from: bigint,
): Promise<FoldState> {
  const fences: Fence[] = [];
  /** The sequence number of the first event, by token. */
  const first = new Map<string, number>();
  for await (const { messages } of readUpTo(kafka, end, from)) {
    for (const entry of messages.flatMap(toEntry)) {
      if (entry.kind === 'fence') fences.push(entry.fence);
      else if (!first.has(entry.event.token)) first.set(entry.event.token, entry.event.sequence);
    }
  }
  const token = fences
    .toReversed()
    .reduce(
      (valid, fence) => (fence.token === valid ? fence.prevToken : valid),
      lastToken(fences, first, end),
    );
  const next = token === null ? 1 : first.get(token);
  // Without an event of this token, the sequence is the one at the end, or does not matter.
  return { token, sequence: next === undefined ? end.sequence : next - 1, sealed: end.sealed };
}

/** Returns the token at the end. If the log does not have it, folding the log will show that the position is wrong. */
function lastToken(
  fences: readonly Fence[],
  first: ReadonlyMap<string, number>,
  { token }: ProjectedPosition,
): string | null {
  const found = [...first.keys(), ...fences.map((fence) => fence.token)];
  if (found.length === 0 || (token !== null && found.includes(token))) return token;
  return fences.at(-1)?.token ?? found.at(-1) ?? null;
}

function toEntry(message: ReadMessage): readonly LogEntry[] {
  const entry = tryDecode(message, decodeLogEntry);
  return entry instanceof UnreadableMessage ? [] : [entry];
}
