import type { Metrics } from '../runtime/metrics.ts';
import type { ExternalStore } from './file-store.ts';

/** Returns the store, whose failed requests are counted. Without a store, the number stays 0. */
export function countFailures(
  store: ExternalStore | undefined,
  metrics: Metrics,
): ExternalStore | undefined {
  let failures = 0;
  metrics.read('annals_file_store_failures_total', () => failures);
  if (store === undefined) return undefined;
  const counting = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      failures += 1;
      throw error;
    }
  };
  return {
    ...store,
    put: (file) => counting(store.put(file)),
    sizeOf: (sha256) => counting(store.sizeOf(sha256)),
    async *read(sha256, range) {
      try {
        yield* store.read(sha256, range);
      } catch (error) {
        failures += 1;
        throw error;
      }
    },
  };
}
