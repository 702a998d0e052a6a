/** A line of the text format of Prometheus. */
export interface MetricLine {
  readonly labels: string;
  readonly value: number;
}

const typeLine = /^# TYPE (\w+) /;
const sampleLine = /^(\w+)(?:[{](.*)[}])? (\S+)$/;
const histogramParts = ['', '_sum', '_count', '_bucket'];

/**
 * Returns the lines of these metrics by name. Each part of a histogram has its own name. A metric that is registered
 * but has no samples maps to an empty array; an unregistered one is missing.
 */
export function readMetrics(
  text: string,
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly MetricLine[]> {
  const found = new Map<string, MetricLine[]>();
  for (const line of text.split('\n')) {
    const metric = typeLine.exec(line)?.[1];
    if (metric === undefined) {
      const [, name = '', labels = '', value] = sampleLine.exec(line) ?? [];
      found.get(name)?.push({ labels, value: Number(value) });
    } else {
      const parts = histogramParts.map((part) => `${metric}${part}`);
      for (const name of parts.filter((part) => names.has(part))) found.set(name, []);
    }
  }
  return found;
}

/** Returns the value of a label; the empty string without it. */
export function labelOf({ labels }: MetricLine, name: string): string {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}
