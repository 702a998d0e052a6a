/**
 * Counts since the start of the process, for metrics. `started` also counts requests that are running or were abandoned.
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
