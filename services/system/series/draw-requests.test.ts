import { expect, it } from 'vitest';
import { drawRequests } from './draw-requests.ts';
import { createRequestCounter } from './request-counts.ts';
import { frameOf } from './series-frame.ts';

const MINUTE_MS = 60_000;
const start = Date.parse('2026-01-01T12:00:30Z');

/** A process that serves one request of each duration in the minute after its start. */
function aProcess(startedAt: number, requests: readonly (readonly [number, number])[]) {
  let now = startedAt;
  const counter = createRequestCounter(() => now);
  now += MINUTE_MS;
  for (const [status, seconds] of requests) counter.add(status, seconds);
  return { counter, setTime: (time: number) => (now = time) };
}

it('adds up the responses of all processes by status and estimates percentiles', () => {
  const frame = frameOf('1h', start + 2 * MINUTE_MS);
  const one = aProcess(start, [
    [200, 0.02],
    [201, 0.02],
    [404, 0.02],
    [304, 0.02],
  ]);
  const other = aProcess(start, [
    [200, 0.02],
    [503, 40],
  ]);
  const drawn = drawRequests(frame, [one.counter.read(), other.counter.read()]);
  expect(drawn.answers2xx.slice(-3)).toEqual([0, 3 / 60, 0]);
  expect(drawn.answers4xx.at(-2)).toBe(1 / 60);
  expect(drawn.answers5xx.at(-2)).toBe(1 / 60);
  expect(drawn.latencyP50Ms.at(-2)).toBeCloseTo(10 + (15 * 3) / 5);
  expect(drawn.latencyP99Ms.slice(-2)).toEqual([30_000, null]);
});

it('returns null before the first process starts', () => {
  const { counter } = aProcess(start, []);
  const { answers2xx } = drawRequests(frameOf('1h', start + MINUTE_MS), [counter.read()]);
  expect(answers2xx.slice(-3)).toEqual([null, 0, 0]);
  expect(new Set(drawRequests(frameOf('1h', start), []).answers2xx)).toEqual(new Set([null]));
});

it('keeps the requests of one day', () => {
  const { counter, setTime } = aProcess(start, [[200, 0.1]]);
  setTime(start + 1_500 * MINUTE_MS);
  counter.add(500, 0.1);
  const { since, minutes } = counter.read();
  expect(since).toBe(start + 60 * MINUTE_MS);
  expect(minutes.map(({ byStatus }) => byStatus)).toEqual([[0, 0, 0, 0, 0, 1]]);
});
