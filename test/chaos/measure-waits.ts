import type { Fleet } from './fleet.ts';

/** Waiting times of requests, in milliseconds. */
export interface Waits {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/**
 * Measures the requests of a kind that were waiting at a time, or that began within an interval after it.
 * Only waiting after that time counts, and a request without a response has waited until now.
 */
export function measureWaits(
  { served, waiting }: Pick<Fleet, 'served' | 'waiting'>,
  kind: 'read' | 'write',
  { from, until }: { readonly from: number; readonly until: number },
): Waits {
  const now = Date.now();
  const unanswered = [...waiting.values()].map((one) => ({ ...one, at: now }));
  const waits = [...served, ...unanswered]
    .filter((one) => one.kind === kind && one.at >= from && one.since <= until)
    .map(({ since, at }) => at - Math.max(since, from))
    .toSorted((one, other) => one - other);
  const at = (share: number) =>
    waits[Math.min(waits.length - 1, Math.floor(share * waits.length))] ?? 0;
  return { count: waits.length, p50: at(0.5), p99: at(0.99), longest: waits.at(-1) ?? 0 };
}
