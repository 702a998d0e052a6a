import type { Logger } from 'pino';
import type { ReadPartition } from '../../../shared/kafka/read-partitions.ts';
import { traceparentOf } from '../../../shared/kafka/trace-header.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import { traceIdOf } from '../../../shared/runtime/trace.ts';
import type { QuarantinedEntry } from './execute-batch.ts';
import type { FoldedPartitions } from './fold-partitions.ts';

interface StoredBatch {
  readonly read: readonly ReadPartition[];
  readonly folded: FoldedPartitions;
  /** The entries that were not stored. */
  readonly setAside: readonly QuarantinedEntry[];
}

export interface ProjectorMeter {
  /** Runs the transaction that stores this number of events, and measures it. */
  commit<Answer>(events: number, store: () => Promise<Answer>): Promise<Answer>;
  /** Called after a batch was stored. */
  stored(batch: StoredBatch): void;
  interrupted(part: 'kafka' | 'postgres'): void;
}

/** Counts the projector's work, and logs the trace ids of each batch. */
export function createProjectorMeter(metrics: Metrics, log: Logger): ProjectorMeter {
  const observeSeconds = metrics.observe('annals_projector_commit_duration_seconds');
  const observeEvents = metrics.observe('annals_projector_commit_events');
  const counts = { entries: 0, events: 0 };
  const rejected = {
    unreadable: 0,
    foreign: 0,
    impossible_version: 0,
    quarantined: 0,
    superseded: 0,
  };
  const interruptions = { kafka: 0, postgres: 0 };
  metrics.read('annals_projector_entries_total', () => counts.entries);
  metrics.read('annals_projector_events_total', () => counts.events);
  metrics.read('annals_projector_rejected_entries_total', () => toSamples('reason', rejected));
  metrics.read('annals_projector_interruptions_total', () => toSamples('part', interruptions));
  return {
    async commit(events, store) {
      const begin = performance.now();
      const answer = await store();
      observeSeconds((performance.now() - begin) / 1000);
      observeEvents(events);
      return answer;
    },
    stored({ read, folded, setAside }) {
      for (const { messages } of read) counts.entries += messages.length;
      const events = folded.events.length - setAside.length;
      counts.events += events;
      const foreign = folded.rejected.filter(({ isForeign }) => isForeign).length;
      rejected.foreign += foreign;
      rejected.unreadable += folded.rejected.length - foreign;
      rejected.superseded += folded.superseded;
      const quarantined = setAside.filter(({ record }) => record !== undefined).length;
      rejected.quarantined += quarantined;
      rejected.impossible_version += setAside.length - quarantined;
      for (const { topic, partition, offset, reason } of [...folded.rejected, ...setAside]) {
        log.error({ topic, partition, offset: String(offset), reason }, 'entry rejected');
      }
      if (log.isLevelEnabled('debug'))
        log.debug({ events, traceIds: traceIdsOf(read) }, 'projected');
    },
    interrupted(part) {
      interruptions[part] += 1;
    },
  };
}

function traceIdsOf(read: readonly ReadPartition[]): readonly string[] {
  const traceparents = read
    .flatMap(({ messages }) => messages.map(traceparentOf))
    .filter((traceparent) => traceparent !== undefined);
  return [...new Set(traceparents.map(traceIdOf))];
}

function toSamples(label: string, values: Readonly<Record<string, number>>) {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}
