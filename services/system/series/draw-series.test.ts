import { expect, it } from 'vitest';
import type { SeriesSample } from '../../../shared/series/sample.ts';
import { drawSeries, sampleRange } from './draw-series.ts';

const frame = { seconds: 120, stepSeconds: 30 };
const now = Date.parse('2026-01-01T00:02:10Z');

function aSample(time: string, more: Partial<SeriesSample> = {}): SeriesSample {
  const at = Date.parse(`2026-01-01T${time}Z`);
  return { at, seconds: 30, counts: {}, gauges: {}, latency: {}, ...more };
}

it('draws a rate for each step, and null for steps without samples', () => {
  const samples = [
    aSample('00:01:00', { counts: { changes: 60 }, gauges: { lagEntries: 2 } }),
    aSample('00:02:00', { counts: { changes: 0 }, latency: { '0.1': 10 } }),
  ];
  const { from, to, series } = drawSeries(samples, frame, now);
  expect({ from, to }).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-01T00:02:00.000Z',
  });
  expect(series.changes).toEqual([null, 2, null, 0]);
  expect(series.lagEntries).toEqual([null, 2, null, null]);
  expect(series.deliveriesOk).toEqual([null, null, null, null]);
  expect(series.latencyP50Ms).toEqual([null, null, null, 50]);
});

it('adds up the counts within a step, and shows the highest gauge value', () => {
  const samples = [
    aSample('00:01:40', { seconds: 10, counts: { changes: 10 }, gauges: { queueWaiting: 7 } }),
    aSample('00:01:50', { seconds: 10, counts: { changes: 30 }, gauges: { queueWaiting: 1 } }),
  ];
  const { series } = drawSeries(samples, frame, now);
  expect(series.changes.at(-1)).toBe(2);
  expect(series.queueWaiting.at(-1)).toBe(7);
});

it('shows the unfinished step as soon as it has a sample', () => {
  const samples = [aSample('00:02:05', { seconds: 5, counts: { changes: 5 } })];
  const { to, series } = drawSeries(samples, frame, now);
  expect(to).toBe('2026-01-01T00:02:30.000Z');
  expect(series.changes).toEqual([null, null, null, 1]);
});

it('requires samples of one step more than it shows', () => {
  expect(sampleRange(frame, now)).toEqual({
    after: Date.parse('2026-01-01T00:00:00Z'),
    until: Date.parse('2026-01-01T00:02:30Z'),
  });
});
