import { expect, it } from 'vitest';
import { drawLine, frameOf } from './series-frame.ts';

const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);

it('begins steps at multiples of their length and shows an unfinished step after a sixth', () => {
  expect(frameOf('1h', at('12:00:09'))).toMatchObject({ from: at('11:00:00'), to: at('12:00:00') });
  expect(frameOf('1h', at('12:00:11'))).toMatchObject({ from: at('11:01:00'), to: at('12:01:00') });
  expect(frameOf('24h', at('12:05:00')).to).toBe(at('12:10:00'));
});

it('passes the elapsed seconds of a step and returns null for a missing number', () => {
  const frame = frameOf('1h', at('12:00:20'));
  const line = drawLine(frame, ({ index, seconds }) => (index < 58 ? undefined : seconds));
  expect(line.slice(-3)).toEqual([null, 60, 20]);
  expect(line).toHaveLength(60);
});
