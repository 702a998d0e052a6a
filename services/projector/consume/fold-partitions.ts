import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import { type Taken, takeMessage } from '../../../shared/events/take-message.ts';
import type { ReadMessage, ReadPartition } from '../../../shared/kafka/read-partitions.ts';
import { traceIdBytes } from '../../../shared/kafka/trace-header.ts';
import type { MovedPosition } from './batch-statement.ts';
import type { LocatedEvent } from './collapse.ts';
import type { QuarantinedEntry } from './execute-batch.ts';

export interface FoldedPartitions {
  readonly events: readonly LocatedEvent[];
  readonly rejected: readonly QuarantinedEntry[];
  /** The number of entries from former owners. These entries do not count. */
  readonly superseded: number;
  readonly moved: readonly MovedPosition[];
  /** All positions after the batch, including positions that did not move. */
  readonly to: readonly ProjectedPosition[];
}

/** Selects the valid events, in the order of `positions`. */
export function foldPartitions(
  read: readonly ReadPartition[],
  positions: readonly ProjectedPosition[],
): FoldedPartitions {
  const folded: Folded = { events: [], rejected: [], superseded: 0 };
  const moved: MovedPosition[] = [];
  const to = positions.map((from) => {
    const { topic, partition, token, sequence, sealed } = from;
    const found = read.find((one) => one.topic === topic && one.partition === partition);
    if (found === undefined) return from;
    let state: FoldState = { token, sequence, sealed };
    for (const message of found.messages) {
      const taken = takeMessage(state, message);
      state = taken.state;
      add(folded, taken, { topic, partition, message });
    }
    const next = { ...from, ...state, offset: found.nextOffset };
    moved.push({ from, to: next });
    return next;
  });
  return { ...folded, moved, to };
}

interface Folded {
  readonly events: LocatedEvent[];
  readonly rejected: QuarantinedEntry[];
  superseded: number;
}

interface LocatedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly message: ReadMessage;
}

function add(folded: Folded, taken: Taken, { topic, partition, message }: LocatedMessage): void {
  const { offset, value } = message;
  const located = { topic, partition, offset, bytes: value ?? Buffer.alloc(0) };
  if (taken.entry?.kind === 'event') {
    folded.events.push({ ...located, event: taken.entry.event, traceId: traceIdBytes(message) });
  }
  if (taken.entry !== undefined) return;
  if (taken.leftOut === 'superseded') {
    folded.superseded += 1;
    return;
  }
  const { rejected: reason, isForeign } = taken.leftOut;
  folded.rejected.push({ ...located, reason, isForeign });
}
