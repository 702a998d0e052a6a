import type { Metrics } from '../../../shared/runtime/metrics.ts';
import type { Outcome } from './outcome/outcome.ts';
import type { BatchTask, InFlightWindow } from './progress/in-flight-window.ts';
import type { CircuitBreakers } from './scheduling/circuit-breakers.ts';
import type { RequestScheduler } from './scheduling/request-scheduler.ts';

/** Records metrics about the request that led to an outcome, if there was one. */
export type ObserveOutcome = (outcome: Outcome) => void;

export function measureDelivery(
  metrics: Metrics,
  parts: {
    readonly counts: DeliveryCounts;
    readonly window: InFlightWindow;
    readonly scheduler: RequestScheduler<BatchTask>;
    readonly breakers: ReadonlySet<CircuitBreakers>;
  },
): ObserveOutcome {
  const { counts, window, scheduler, breakers } = parts;
  const observe = metrics.observe('annals_webhook_attempt_duration_seconds');
  metrics.read('annals_webhook_batches_total', () => {
    const { started, ...ended } = counts;
    return Object.entries(ended).map(([outcome, value]) => ({
      // The former label is kept for existing dashboards.
      labels: { ending: outcome === 'overflowed' ? 'diverted' : outcome },
      value,
    }));
  });
  metrics.read('annals_webhook_dead_letters_total', () => counts.dead + counts.unreadable);
  metrics.read('annals_webhook_waiting_batches', window.count);
  metrics.read('annals_webhook_open_lanes', window.webhooks);
  metrics.read('annals_webhook_oldest_waiting_seconds', () => {
    const now = Date.now();
    return Math.max(0, now - (window.oldestEnqueuedAt() ?? now)) / 1000;
  });
  metrics.read('annals_webhook_requests_in_flight', scheduler.inFlight);
  metrics.read('annals_webhook_open_breakers', () =>
    [...breakers].reduce((sum, one) => sum + one.countOpen(), 0),
  );
  return (outcome) => {
    if (!('request' in outcome) || outcome.request === undefined) return;
    observe(outcome.request.durationMs / 1000, { outcome: outcome.kind });
  };
}

/**
 * Counts since the start of the process, for metrics. `started` includes requests that are running or were abandoned.
 */
export class DeliveryCounts {
  started = 0;
  delivered = 0;
  retried = 0;
  postponed = 0;
  overflowed = 0;
  dead = 0;
  dropped = 0;
  unreadable = 0;
}
