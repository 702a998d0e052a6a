import type { Series } from '../../api/system.ts';
import type { MessageKey } from '../../messages/en.ts';

type SeriesName = keyof Series['series'];

interface Line {
  readonly name: SeriesName;
  readonly label: MessageKey;
  /** Of the theme, told apart in both schemes. */
  readonly color: 'blue' | 'orange' | 'red' | 'teal';
  /** Where there is another list of it than of the chart. */
  readonly behind?: Place;
}

export interface Chart {
  readonly title: MessageKey;
  readonly unit: 'perSecond' | 'ms' | 'seconds' | 'count';
  readonly lines: readonly Line[];
  /** Where what was counted can be seen one by one, or what comes nearest: no list has each answer. */
  readonly behind: Place;
}

export interface Place {
  readonly to: '/log' | '/system' | '/webhooks';
  readonly search?: Readonly<Record<string, string>>;
  /** It is narrowed to the days of the chart. */
  readonly isDated?: boolean;
}

/** Those that changed something, as they come. */
const changes: Place = { to: '/log' };
/** Of what was refused, who was not let in. */
const refused: Place = { to: '/system', search: { tab: 'audit', kind: 'signIn' }, isDated: true };
/** What is wrong with an installation that fails, or is slow. */
const findings: Place = { to: '/system' };
const topics: Place = { to: '/log', search: { tab: 'topics' } };

/** What the overview draws, in this order. */
export const charts: readonly Chart[] = [
  {
    title: 'overview.changes',
    unit: 'perSecond',
    lines: [{ name: 'changes', label: 'overview.changes', color: 'blue' }],
    behind: changes,
  },
  {
    title: 'overview.answers',
    unit: 'perSecond',
    lines: [
      { name: 'answers2xx', label: 'overview.answers2xx', color: 'teal' },
      { name: 'answers4xx', label: 'overview.answers4xx', color: 'orange', behind: refused },
      { name: 'answers5xx', label: 'overview.answers5xx', color: 'red', behind: findings },
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
  {
    title: 'overview.queue',
    unit: 'count',
    lines: [{ name: 'queueWaiting', label: 'overview.queueWaiting', color: 'blue' }],
    behind: findings,
  },
  {
    title: 'overview.queueAge',
    unit: 'seconds',
    lines: [{ name: 'queueSeconds', label: 'overview.queueSeconds', color: 'blue' }],
    behind: findings,
  },
  {
    title: 'overview.lag',
    unit: 'count',
    lines: [{ name: 'lagEntries', label: 'overview.lagEntries', color: 'blue' }],
    behind: topics,
  },
  {
    title: 'overview.lagAge',
    unit: 'seconds',
    lines: [{ name: 'lagSeconds', label: 'overview.lagSeconds', color: 'blue' }],
    behind: topics,
  },
];

/** The newest value that was measured, and the highest; undefined where nothing was. */
export function summarise(
  values: readonly (number | null)[],
): { readonly last: number; readonly most: number } | undefined {
  const measured = values.filter((value) => value !== null);
  const last = measured.at(-1);
  return last === undefined ? undefined : { last, most: Math.max(...measured) };
}

/** In seconds since 1970, the end of each step. */
export function timesOf({ to, stepSeconds, series }: Series): readonly number[] {
  const count = series.changes.length;
  const end = Date.parse(to) / 1000;
  return Array.from({ length: count }, (_, index) => end - (count - 1 - index) * stepSeconds);
}
