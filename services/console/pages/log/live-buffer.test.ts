import { describe, expect, it } from 'vitest';
import type { LoggedChange } from '../../api/system.ts';
import { emptyBuffer, type LiveAction, maxRows, reduceBuffer } from './live-buffer.ts';

const received = (...places: readonly string[]): LiveAction => ({
  kind: 'received',
  events: places.map((place) => ({ place }) as LoggedChange),
  count: places.length,
});

function outcome(...actions: readonly LiveAction[]) {
  const { rows, ...rest } = actions.reduce(reduceBuffer, emptyBuffer);
  return { ...rest, places: rows.map(({ place }) => place) };
}

describe('reduceBuffer', () => {
  it('puts the newest events first', () => {
    expect(outcome(received('1', '2'), received('3'))).toMatchObject({
      places: ['3', '2', '1'],
      total: 3,
    });
  });

  it('holds and counts events during a pause and shows them on resume', () => {
    const pause = [received('1'), { kind: 'pause' }, received('2', '3')] as const;
    expect(outcome(...pause)).toMatchObject({ places: ['1'], heldCount: 2, isPaused: true });
    expect(outcome(...pause, { kind: 'resume' }, received('4'))).toMatchObject({
      places: ['4', '3', '2', '1'],
      heldCount: 0,
      isPaused: false,
    });
  });

  it('keeps only the newest events but counts all of them, even during a pause', () => {
    const many = Array.from({ length: maxRows + 50 }, (_, index) => `${index}`);
    const { places, total } = outcome(received(...many));
    expect(places).toHaveLength(maxRows);
    expect(places[0]).toBe(`${maxRows + 49}`);
    expect(total).toBe(maxRows + 50);
    const paused = outcome({ kind: 'pause' }, received(...many), received('last'));
    expect(paused.held).toHaveLength(maxRows);
    expect(paused.held[0]?.place).toBe('last');
    expect(paused.heldCount).toBe(maxRows + 51);
  });

  it('clears the events when the filter changes and stays paused', () => {
    expect(outcome(received('1'), { kind: 'pause' }, received('2'), { kind: 'clear' })).toEqual({
      places: [],
      total: 0,
      isPaused: true,
      held: [],
      heldCount: 0,
    });
  });
});
