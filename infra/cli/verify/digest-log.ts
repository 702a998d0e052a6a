import { isRestoration, type RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { type Buckets, bucketOf, Digests } from './buckets.ts';
import { type FoldedLog, foldLog, type LogSource } from './fold-log.ts';

/** A summary of the log, in a few hundred kilobytes. */
export interface LogDigest extends FoldedLog {
  /** Digests of the bytes of events that count, which include the record and the version. */
  readonly events: Pick<Digests, 'sums' | 'items'>;
  /** Live records by `Type/partition`. */
  readonly counts: Map<string, number>;
  /** Rejected entries, as `topic/partition/offset`. */
  readonly rejected: Set<string>;
}

/** Folds the log. The digests of events are limited to these buckets. */
export async function digestLog(source: LogSource, buckets: Buckets): Promise<LogDigest> {
  const events = new Digests();
  const counts = new Map<string, number>();
  const rejected = new Set<string>();
  const folded = await foldLog(source, (taken, { offset, value }, at) => {
    if (taken.entry === undefined) {
      if (taken.leftOut !== 'superseded') rejected.add(`${at.topic}/${at.partition}/${offset}`);
      return;
    }
    if (taken.entry.kind === 'fence') return;
    const { event } = taken.entry;
    const key = `${event.entityType}/${at.partition}`;
    counts.set(key, (counts.get(key) ?? 0) + liveChange(event));
    const bucket = bucketOf(event.entityType, event.recordId);
    if (buckets.has(bucket)) events.add(bucket, value ?? Buffer.alloc(0));
  });
  return { ...folded, events, counts, rejected };
}

/** Returns by how much an event changes the number of live records. */
export function liveChange(event: RecordEvent): number {
  if (event.type === 'Created') return 1;
  if (event.type === 'Deleted') return -1;
  return isRestoration(event) ? 1 : 0;
}
