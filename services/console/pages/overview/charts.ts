import type { Series } from '../../api/system.ts';
import type { PageKey } from '../../messages/en-pages.ts';

type SeriesName = keyof Series['series'];

interface Line {
  readonly name: SeriesName;
  readonly label: PageKey;
  /** A theme colour; the choices are distinguishable in light and dark mode. */
  readonly color: 'blue' | 'orange' | 'red' | 'teal';
  /** Overrides the `behind` page of the chart for this line. */
  readonly behind?: Place;
}

export interface Chart {
  readonly title: PageKey;
  readonly unit: 'perSecond' | 'ms';
  readonly lines: readonly Line[];
  /** The page that lists what the chart counts, or the closest equivalent: no page lists every response. */
  readonly behind: Place;
}

export interface Place {
  readonly to: '/log' | '/system' | '/webhooks';
  readonly search?: Readonly<Record<string, string>>;
  /** True if the page is filtered by the days of the chart. */
  readonly isDated?: boolean;
}

const changes: Place = { to: '/log' };
/** The closest list for 4xx responses: rejected sign-ins. */
const rejected: Place = { to: '/system', search: { tab: 'audit', kind: 'signIn' }, isDated: true };
/** The doctor's findings: where 5xx responses and slow responses link to. */
const findings: Place = { to: '/system' };

/** The charts of the overview, in display order. */
export const charts: readonly Chart[] = [
  {
    title: 'overview.changes',
    unit: 'perSecond',
    lines: [{ name: 'changes', label: 'overview.changes', color: 'blue' }],
    behind: changes,
  },
  {
    title: 'overview.responses',
    unit: 'perSecond',
    lines: [
      { name: 'answers2xx', label: 'overview.responses2xx', color: 'teal' },
      { name: 'answers4xx', label: 'overview.responses4xx', color: 'orange', behind: rejected },
      { name: 'answers5xx', label: 'overview.responses5xx', color: 'red', behind: findings },
    ],
    behind: changes,
  },
  {
    title: 'overview.latency',
    unit: 'ms',
    lines: [
      { name: 'latencyP50Ms', label: 'overview.latencyP50', color: 'blue' },
      { name: 'latencyP99Ms', label: 'overview.latencyP99', color: 'orange' },
    ],
    behind: findings,
  },
  {
    title: 'overview.deliveries',
    unit: 'perSecond',
    lines: [
      { name: 'deliveriesOk', label: 'overview.deliveriesOk', color: 'teal' },
      { name: 'deliveriesFailed', label: 'overview.deliveriesFailed', color: 'red' },
    ],
    behind: { to: '/webhooks' },
  },
];

/** Returns the latest and the highest measured value; undefined without measurements. */
export function summarise(
  values: readonly (number | null)[],
): { readonly last: number; readonly peak: number } | undefined {
  const measured = values.filter((value) => value !== null);
  const last = measured.at(-1);
  return last === undefined ? undefined : { last, peak: Math.max(...measured) };
}

/** Returns the end of each step as Unix time in seconds. */
export function timesOf({ to, stepSeconds, series }: Series): readonly number[] {
  const count = series.changes.length;
  const end = Date.parse(to) / 1000;
  return Array.from({ length: count }, (_, index) => end - (count - 1 - index) * stepSeconds);
}

/** Returns the unit for rates up to this one, and its length in seconds: the shortest in which the rate is at least one. */
export function rateUnit(perSecond: number): readonly ['s' | 'min' | 'h', number] {
  if (perSecond === 0 || perSecond >= 1) return ['s', 1];
  return perSecond * 60 >= 1 ? ['min', 60] : ['h', 3_600];
}

/** Returns the indices of values without a neighbour: a line cannot connect them. */
export function isolatedIndices(values: readonly (number | null | undefined)[]): number[] {
  const isMissing = (index: number) => (values[index] ?? null) === null;
  return [...values.keys()].filter(
    (index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1),
  );
}
