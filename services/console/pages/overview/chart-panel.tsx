import {
  ColorSwatch,
  Group,
  ScrollArea,
  Skeleton,
  Text,
  useComputedColorScheme,
} from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { Series } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { useLanguage } from '../../language/language.tsx';
import { usePageText } from '../../language/page-text.ts';
import { useTimeZone } from '../../language/time-settings.ts';
import { TextLink } from '../../parts/link.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { type Chart, type Place, rateUnit, summarise, timesOf } from './charts.ts';

// Loaded separately because only this page needs the chart library.
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

/** A chart, with the same data as sentences and as a table. */
export function ChartPanel({ chart, series }: { readonly chart: Chart; readonly series: Series }) {
  const t = usePageText();
  const format = useFormat();
  const shade = useComputedColorScheme() === 'dark' ? 4 : 7;
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const formatTime = useMemo(() => {
    const isLong = series.stepSeconds >= HOUR_SECONDS;
    if (!isLong) return (seconds: number) => format.clock(new Date(seconds * 1000));
    const marks = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone });
    return (seconds: number) => marks.format(seconds * 1000);
  }, [language, timeZone, format, series.stepSeconds]);
  const { lines, formatValue, times } = useMemo(() => {
    const measured = chart.lines.map(({ name }) => series.series[name]);
    const peaks = measured.map((values) => summarise(values)?.peak ?? 0);
    const [unit, factor] = unitOf(chart.unit, Math.max(...peaks));
    return {
      times: timesOf(series),
      formatValue: (value: number) =>
        `${format.number(Number(value.toPrecision(SIGNIFICANT_DIGITS)))}${unit}`,
      lines: chart.lines.map(({ label, color, behind = chart.behind }, index) => ({
        label: t(label),
        behind,
        color,
        values: (measured[index] ?? []).map((value) => (value === null ? null : value * factor)),
      })),
    };
  }, [chart, series, format, t]);
  const title = t(chart.title);
  return (
    <Panel title={title}>
      {lines.map(({ label, color, values, behind }) => (
        <Group key={label} gap="xs" wrap="nowrap" mih={LINE_HEIGHT}>
          <ColorSwatch
            size={12}
            color={`var(--mantine-color-${color}-${shade})`}
            aria-hidden="true"
          />
          <Sentence behind={behind} from={series.from}>
            {describe(label, values)}
          </Sentence>
        </Group>
      ))}
      <Suspense fallback={<Skeleton h={180} />}>
        <Plot times={times} lines={lines} formatValue={formatValue} formatTime={formatTime} />
      </Suspense>
      <details>
        <Text component="summary" size="sm">
          {t('overview.asTable')}
        </Text>
        <ScrollArea.Autosize mah={240}>
          <DataTable
            label={title}
            rows={times.map((time, index) => ({ time, index }))}
            keyOf={({ time }) => `${time}`}
            columns={[
              { label: t('overview.time'), show: ({ time }) => format.time(new Date(time * 1000)) },
              ...lines.map(({ label, values }) => ({
                label,
                show: ({ index }: { readonly index: number }) => {
                  const value = values[index] ?? null;
                  return value === null ? '–' : formatValue(value);
                },
              })),
            ]}
          />
        </ScrollArea.Autosize>
      </details>
    </Panel>
  );

  function describe(line: string, values: readonly (number | null)[]): string {
    const found = summarise(values);
    if (found === undefined) return t('overview.noData', { line });
    const [last, peak] = [formatValue(found.last), formatValue(found.peak)];
    return t('overview.sentence', { line, last, peak });
  }
}

/** The summary of a line, as a link to the details. */
function Sentence(props: {
  readonly behind: Place;
  readonly from: string;
  readonly children: string;
}) {
  const { behind, from, children } = props;
  const { to, search, isDated } = behind;
  const narrowed = isDated ? { ...search, from: from.slice(0, DAY_LENGTH) } : search;
  return (
    <TextLink size="sm" to={to} {...(narrowed && { search: narrowed })}>
      {children}
    </TextLink>
  );
}

/** Line height in pixels, large enough for links as touch targets. */
const LINE_HEIGHT = 28;
/** `YYYY-MM-DD` */
const DAY_LENGTH = 10;
const SIGNIFICANT_DIGITS = 3;
const HOUR_SECONDS = 3_600;

/** Returns the unit of a chart with this peak, and the factor that converts its values. */
function unitOf(unit: Chart['unit'], peak: number): readonly [string, number] {
  if (unit === 'ms') return [' ms', 1];
  const [per, seconds] = rateUnit(peak);
  return [`/${per}`, seconds];
}
