import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { ReadMessage, ReadPartition } from '../../../shared/kafka/read-partitions.ts';
import type { MovedPosition } from './batch-statement.ts';
import type { LocatedEvent } from './collapse.ts';
import type { ParkedEntry } from './store-batch.ts';

export interface FoldedPartitions {
  readonly events: readonly LocatedEvent[];
  readonly rejected: readonly ParkedEntry[];
  /** Entries of former owners, which do not count. */
  readonly superseded: number;
  readonly moved: readonly MovedPosition[];
  /** All positions after that. */
  readonly to: readonly ProjectedPosition[];
}

/** The events that count, in the order of `positions`: the directory, which records refer to, comes first. */
export function foldPartitions(
  read: readonly ReadPartition[],
  positions: readonly ProjectedPosition[],
): FoldedPartitions {
  const events: LocatedEvent[] = [];
  const rejected: ParkedEntry[] = [];
  const moved: MovedPosition[] = [];
  let superseded = 0;
  const to = positions.map((from) => {
    const found = read.find(
      ({ topic, partition }) => topic === from.topic && partition === from.partition,
    );
    if (found === undefined) return from;
    const { token, sequence, sealed } = from;
    let state: FoldState = { token, sequence, sealed };
    for (const message of found.messages) {
      const taken = foldMessage(state, { at: from, message });
      state = taken.state;
      if (taken.event !== undefined) events.push(taken.event);
      if (taken.rejected !== undefined) rejected.push(taken.rejected);
      superseded += taken.superseded ?? 0;
    }
    const next = { ...from, ...state, offset: found.nextOffset };
    moved.push({ from, to: next });
    return next;
  });
  return { events, rejected, superseded, moved, to };
}

interface Taken {
  readonly state: FoldState;
  readonly event?: LocatedEvent;
  readonly rejected?: ParkedEntry;
  readonly superseded?: 1;
}

function foldMessage(
  state: FoldState,
  { at, message }: { readonly at: ProjectedPosition; readonly message: ReadMessage },
): Taken {
  const bytes = message.value ?? Buffer.alloc(0);
  const located = { topic: at.topic, partition: at.partition, offset: message.offset, bytes };
  const taken = takeMessage(state, message);
  if (taken.entry === undefined) {
    if (taken.leftOut === 'superseded') return { state, superseded: 1 };
    const { rejected: reason, isForeign } = taken.leftOut;
    return { state, rejected: { ...located, reason, isForeign } };
  }
  if (taken.entry.kind === 'fence') return { state: taken.state };
  return { state: taken.state, event: { ...located, event: taken.entry.event } };
}
