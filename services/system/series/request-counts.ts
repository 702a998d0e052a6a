/**
 * The requests of the last day in the memory of each api, by minute. `GET System/series` adds up the counts of all
 * apis, which it requests from their internal listeners. A process's counts are lost when it exits.
 */
import { metricDefinitions } from '../../../shared/runtime/metric-definitions.ts';

/** The requests of one minute. */
interface RequestMinute {
  /** The start of the minute, in milliseconds since 1970. */
  readonly at: number;
  /** The number of responses, by the first digit of the status. */
  readonly byStatus: number[];
  /** The number of requests in each latency bucket; the last one counts requests beyond the last bound. */
  readonly byLatency: number[];
}

/** The requests that a process served. */
export interface RequestCounts {
  /** The time at which counting started, in milliseconds since 1970. */
  readonly since: number;
  /** Oldest first, without minutes that had no requests. */
  readonly minutes: readonly RequestMinute[];
}

export interface RequestCounter {
  add(status: number, seconds: number): void;
  read(): RequestCounts;
}

export const latencyBounds = metricDefinitions.annals_http_request_duration_seconds.buckets ?? [];

const MINUTE_MS = 60_000;
const KEPT_MS = 86_400_000;
const CLASSES = 6;
export const requestCountsPath = '/internal/requests';

export function createRequestCounter(now: () => number): RequestCounter {
  const startedAt = now();
  const minutes: RequestMinute[] = [];

  function current(): RequestMinute {
    const at = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    const last = minutes.at(-1);
    // Counts in the latest minute if the clock was set back.
    if (last !== undefined && last.at >= at) return last;
    const added = {
      at,
      byStatus: Array.from({ length: CLASSES }, () => 0),
      byLatency: Array.from({ length: latencyBounds.length + 1 }, () => 0),
    };
    minutes.push(added);
    while ((minutes[0]?.at ?? at) < at - KEPT_MS) minutes.shift();
    return added;
  }

  return {
    add(status, seconds) {
      const { byStatus, byLatency } = current();
      const first = Math.floor(status / 100);
      const index = latencyBounds.findIndex((bound) => seconds <= bound);
      const bucket = index === -1 ? latencyBounds.length : index;
      byStatus[first] = (byStatus[first] ?? 0) + 1;
      byLatency[bucket] = (byLatency[bucket] ?? 0) + 1;
    },
    read: () => ({ since: Math.max(startedAt, now() - KEPT_MS), minutes }),
  };
}
