import type { MetricName } from '../../../shared/runtime/metric-definitions.ts';
import type { MetricSample, Metrics } from '../../../shared/runtime/metrics.ts';
import type { PartitionLog } from './partition-log.ts';
import type { PartitionWriter } from './partition-writer.ts';

/** Measures duration, size and failures of appends, outside the writer. */
export function createMeasuredLog(metrics: Metrics): (log: PartitionLog) => PartitionLog {
  const observeSeconds = metrics.observe('annals_writer_append_duration_seconds');
  const observeEvents = metrics.observe('annals_writer_append_events');
  let failed = 0;
  metrics.read('annals_writer_failed_appends_total', () => failed);
  return (log) => ({
    ...log,
    async append(messages) {
      const begin = performance.now();
      try {
        const offset = await log.append(messages);
        observeSeconds((performance.now() - begin) / 1000);
        observeEvents(messages.length);
        return offset;
      } catch (error) {
        failed += 1;
        throw error;
      }
    },
  });
}

/** Reports the writers' memory and changes of ownership, by `topic/partition`. */
export function measureWriters(
  metrics: Metrics,
  writers: ReadonlyMap<string, PartitionWriter>,
): void {
  const all = [...writers].map(([resource, writer]) => ({ at: labelsOf(resource), writer }));
  const sum = (name: MetricName, of: (writer: PartitionWriter) => number) =>
    metrics.read(name, () => all.reduce((total, { writer }) => total + of(writer), 0));
  const each = (name: MetricName, of: (writer: PartitionWriter) => number) =>
    metrics.read(name, () =>
      all.map(({ at, writer }): MetricSample => ({ labels: at, value: of(writer) })),
    );

  metrics.read(
    'annals_writer_owned_partitions',
    () => all.filter(({ writer }) => writer.isOwned()).length,
  );
  sum('annals_writer_waiting_commands', (writer) => writer.sizes().waiting);
  sum('annals_writer_overlay_records', (writer) => writer.sizes().overlay());
  sum('annals_writer_cached_records', (writer) => writer.sizes().cached);
  each('annals_writer_backlog_bytes', (writer) => writer.sizes().backlogBytes);
  each('annals_writer_unprojected_entries', (writer) => writer.sizes().unprojected);
  each('annals_writer_fences_total', ({ counts }) => counts.fences);
  metrics.read('annals_writer_ownership_changes_total', () =>
    all.flatMap(({ at, writer: { counts } }) => [
      { labels: { ...at, change: 'won' }, value: counts.won },
      { labels: { ...at, change: 'lost' }, value: counts.lost },
    ]),
  );
}

function labelsOf(resource: string) {
  const slash = resource.lastIndexOf('/');
  return { topic: resource.slice(0, slash), partition: resource.slice(slash + 1) };
}
