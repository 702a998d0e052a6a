import { setTimeout as sleep } from 'node:timers/promises';

/** The metrics of one process. */
export interface Scrape {
  readonly text: string;
  /** Types by name: counter, gauge or histogram. */
  readonly types: ReadonlyMap<string, string>;
  /**
   * Returns the samples of a name (`_count`, `_sum` and `_bucket` are separate names), by their labels as
   * written.
   */
  samples(name: string): ReadonlyMap<string, number>;
  /** Returns the sum of all samples of a name. */
  sum(name: string): number;
}

/** A little longer than a process caches its metrics. */
const KEPT_MS = 1_050;

/** Reads the current metrics of a process, like Prometheus. Throws if the response is not in time. */
export async function scrape(baseUrl: string): Promise<Scrape> {
  await sleep(KEPT_MS);
  const response = await fetch(`${baseUrl}/metrics`, { signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`the metrics endpoint returned ${response.status}: ${text}`);
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name = '', type = '']) => [name, type] as const,
  );
  const samples = (name: string) => {
    const lines = [...text.matchAll(/^([a-z_0-9]+)(?:[{](.*)[}])? (\S+)$/gm)];
    const ofName = lines.filter(([, found]) => found === name);
    return new Map(ofName.map(([, , labels = '', value]) => [labels, Number(value)]));
  };
  return {
    text,
    types: new Map(types),
    samples,
    sum: (name) => [...samples(name).values()].reduce((sum, value) => sum + value, 0),
  };
}
