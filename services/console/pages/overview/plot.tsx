import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { isolatedIndices } from './charts.ts';

const HEIGHT = 180;
const MIN_WIDTH = 240;
/** Width of a time label below the chart in pixels, including spacing. */
const MARK_WIDTH = 84;
/** The least width of the labels next to the chart, and the width of a character, in pixels. */
const MIN_LABEL_WIDTH = 48;
const CHARACTER_WIDTH = 7;

interface Drawn {
  readonly times: readonly number[];
  readonly lines: readonly {
    readonly label: string;
    readonly color: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly formatValue: (value: number) => string;
  /** Formats a Unix time in seconds. */
  readonly formatTime: (seconds: number) => string;
}

/** A line chart. The same data is available as text next to it. */
export function Plot({ times, lines, formatValue, formatTime }: Drawn) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const { colors } = useMantineTheme();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const isDark = scheme === 'dark';
    const ink = isDark ? '#c9c9c9' : '#495057';
    const grid = { stroke: isDark ? '#3b3b3b' : '#e9ecef' };
    const widthOf = () => Math.max(element.clientWidth, MIN_WIDTH);
    const plot = new UPlot(
      {
        width: widthOf(),
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        // The last time label is centred below the end of the chart.
        padding: [null, MARK_WIDTH / 2, null, null],
        scales: { y: { range: (_plot, _low, high) => [0, Math.max(high ?? 0, 1) * 1.1] } },
        axes: [
          { stroke: ink, grid, space: MARK_WIDTH, values: (_plot, marks) => marks.map(formatTime) },
          {
            stroke: ink,
            grid,
            size: (_plot, labels) => widthOfLabels(labels ?? []),
            values: (_plot, marks) => marks.map(formatValue),
          },
        ],
        series: [
          {},
          ...lines.map(({ label, color }) => ({
            label,
            stroke: colors[color]?.[isDark ? 4 : 7] ?? color,
            width: 2,
            // A value without neighbours is visible only as a point.
            points: {
              filter: (plot: UPlot, index: number) =>
                isolatedIndices([...(plot.data[index] ?? [])]),
            },
          })),
        ],
      },
      [[...times], ...lines.map(({ values }) => [...values])],
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: widthOf(), height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [times, lines, formatValue, formatTime, scheme, colors]);
  return <div ref={place} aria-hidden="true" className="plot" />;
}

function widthOfLabels(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  return Math.max(MIN_LABEL_WIDTH, (longest + 3) * CHARACTER_WIDTH);
}
