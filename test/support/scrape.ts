import { setTimeout as sleep } from 'node:timers/promises';

/** What one process shows at /metrics. */
export interface Scrape {
  readonly text: string;
  /** By name, what it is: counter, gauge or histogram. */
  readonly types: ReadonlyMap<string, string>;
  /** The samples of a name (`_count`, `_sum` and `_bucket` are names of their own), by their labels as they are written. */
  samples(name: string): ReadonlyMap<string, number>;
  /** All samples of a name together. */
  sum(name: string): number;
}

/** For how long a process answers what it worked out once, and a little. */
const KEPT_MS = 1_050;

/** Reads the metrics of a process, as Prometheus does, as they are by now. Throws when it does not answer within its time. */
export async function scrape(baseUrl: string): Promise<Scrape> {
  await sleep(KEPT_MS);
  const response = await fetch(`${baseUrl}/metrics`, { signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`metrics answered ${response.status}: ${text}`);
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
