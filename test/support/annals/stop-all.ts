export interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * Stops the parts one after the other, the last started first, even if some fail. Then throws an
 * AggregateError with all failures.
 */
export async function stopAll(started: readonly Stoppable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const each of started.toReversed()) {
    try {
      await each.stop();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return;
  const reasons = failures.map((it) => (it instanceof Error ? it.message : String(it))).join('; ');
  throw new AggregateError(
    failures,
    `${failures.length} of ${started.length} parts of Annals could not be stopped: ${reasons}`,
  );
}
