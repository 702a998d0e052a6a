import { describe, expect, it } from 'vitest';
import { measureStep, updateLook } from './measure-step.ts';
import { readProcess } from './read-process.ts';

const SECOND_MS = 1_000;
/** A process that started before the first look. */
const early = { startedAt: 10, appended: 0 };

function aProcess({ startedAt, appended, more = '' }: typeof early & { readonly more?: string }) {
  return readProcess(`# TYPE process_start_time_seconds gauge
process_start_time_seconds ${startedAt}
# TYPE annals_writer_append_events histogram
annals_writer_append_events_sum ${appended}
${more}`);
}

const at = (...processes: readonly ReturnType<typeof aProcess>[]) =>
  new Map(processes.map((numbers, index) => [`http://127.0.0.1:${index}`, numbers]));
const first = updateLook(undefined, at(aProcess({ startedAt: 10, appended: 100 })), 60 * SECOND_MS);
const step = { at: 90 * SECOND_MS, now: 90 * SECOND_MS };

describe('a step', () => {
  it('has the growth of counters since the previous look', () => {
    const now = at(aProcess({ startedAt: 10, appended: 130 }));
    const { at: end, seconds, counts } = measureStep(first, now, step);
    expect({ end, seconds, counts }).toEqual({
      end: 90 * SECOND_MS,
      seconds: 30,
      counts: { changes: 30 },
    });
  });

  it('has the full counts of a process that restarted, even if they are higher than before', () => {
    const now = at(aProcess({ startedAt: 70, appended: 130 }));
    expect(measureStep(first, now, step).counts).toEqual({ changes: 130 });
  });

  it('treats a counter that became smaller as reset', () => {
    const now = at(aProcess({ startedAt: 10, appended: 4 }));
    expect(measureStep(first, now, step).counts).toEqual({ changes: 4 });
  });

  it('excludes a process that is seen for the first time, unless it started after the first look', () => {
    const known = aProcess({ startedAt: 10, appended: 101 });
    const older = at(known, aProcess({ startedAt: 50, appended: 1_000 }));
    expect(measureStep(first, older, step).counts).toEqual({ changes: 1 });
    const younger = at(known, aProcess({ startedAt: 70, appended: 5 }));
    expect(measureStep(first, younger, step).counts).toEqual({ changes: 6 });
  });

  it('has no numbers if no process responds', () => {
    expect(measureStep(first, new Map(), step)).toEqual({
      at: step.at,
      seconds: 30,
      counts: {},
      gauges: {},
      latency: {},
    });
  });

  it('includes the counts of a process that did not respond to the previous look', () => {
    const silent = updateLook(first, new Map(), 75 * SECOND_MS);
    const now = at(aProcess({ startedAt: 10, appended: 107 }));
    expect(measureStep(silent, now, step).counts).toEqual({ changes: 7 });
  });

  it('counts responses by status, deliveries by outcome, and requests by latency bucket', () => {
    const requests = 'annals_http_request_duration_seconds';
    const line = (name: string, labels: string, value: number) => `${name}{${labels}} ${value}`;
    const before = updateLook(
      undefined,
      at(aProcess({ ...early, more: `# TYPE ${requests} histogram` })),
      60 * SECOND_MS,
    );
    const get = 'method="GET",route="/a",status="200"';
    const post = 'method="POST",route="/{x},status=b",status="503"';
    const more = [
      `# TYPE ${requests} histogram`,
      line(`${requests}_bucket`, `le="0.01",${get}`, 3),
      line(`${requests}_bucket`, `le="0.1",${get}`, 4),
      line(`${requests}_bucket`, `le="+Inf",${get}`, 4),
      line(`${requests}_count`, get, 4),
      line(`${requests}_bucket`, `le="0.01",${post}`, 0),
      line(`${requests}_bucket`, `le="0.1",${post}`, 0),
      line(`${requests}_bucket`, `le="+Inf",${post}`, 1),
      line(`${requests}_count`, post, 1),
      '# TYPE annals_webhook_attempt_duration_seconds histogram',
      line('annals_webhook_attempt_duration_seconds_count', 'outcome="delivered"', 5),
      line('annals_webhook_attempt_duration_seconds_count', 'outcome="retried"', 2),
      line('annals_webhook_attempt_duration_seconds_count', 'outcome="dead"', 1),
    ].join('\n');
    const { counts, latency } = measureStep(before, at(aProcess({ ...early, more })), step);
    expect(counts).toEqual({
      changes: 0,
      answers2xx: 4,
      answers4xx: 0,
      answers5xx: 1,
      deliveriesOk: 5,
      deliveriesFailed: 3,
    });
    expect(latency).toEqual({ '0.01': 3, '0.1': 1, '+Inf': 1 });
  });

  it('has the queue only if both of its parts are known, with the highest lag', () => {
    const batches = (count: number) =>
      `# TYPE annals_webhook_waiting_batches gauge\nannals_webhook_waiting_batches ${count}`;
    const queue = [
      '# TYPE annals_webhook_queue_lag_entries gauge',
      'annals_webhook_queue_lag_entries{topic="a",partition="0"} 3',
      'annals_webhook_queue_lag_entries{topic="a",partition="1"} 4',
      '# TYPE annals_webhook_queue_lag_seconds gauge',
      'annals_webhook_queue_lag_seconds{topic="a",partition="0"} 9',
      'annals_webhook_queue_lag_seconds{topic="a",partition="1"} 2',
    ].join('\n');
    const half = at(aProcess({ ...early, more: batches(2) }));
    expect(measureStep(first, half, step).gauges).toEqual({});
    const both = at(
      aProcess({ ...early, more: batches(2) }),
      aProcess({ ...early, more: `${batches(1)}\n${queue}` }),
    );
    expect(measureStep(first, both, step).gauges).toEqual({ queueWaiting: 10, queueSeconds: 9 });
  });
});
