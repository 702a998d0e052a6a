import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../api/system.ts';
import { emptyBuffer, type LiveAction, mostRows, reduceBuffer } from './live-buffer.ts';

const came = (...places: readonly string[]): LiveAction => ({
  kind: 'came',
  events: places.map((place) => ({ place }) as LiveEvent),
  count: places.length,
});

function outcome(...actions: readonly LiveAction[]) {
  const { rows, ...rest } = actions.reduce(reduceBuffer, emptyBuffer);
  return { ...rest, places: rows.map(({ place }) => place) };
}

describe('reduceBuffer', () => {
  it('has the newest first', () => {
    expect(outcome(came('1', '2'), came('3'))).toMatchObject({ places: ['3', '2', '1'], total: 3 });
  });

  it('holds and counts what comes in a pause, and shows it afterwards', () => {
    const pause = [came('1'), { kind: 'pause' }, came('2', '3')] as const;
    expect(outcome(...pause)).toMatchObject({ places: ['1'], heldCount: 2, isPaused: true });
    expect(outcome(...pause, { kind: 'goOn' }, came('4'))).toMatchObject({
      places: ['4', '3', '2', '1'],
      heldCount: 0,
      isPaused: false,
    });
  });

  it('keeps the newest few hundred, also of a pause, and counts all', () => {
    const many = Array.from({ length: mostRows + 50 }, (_, index) => `${index}`);
    const { places, total } = outcome(came(...many));
    expect(places).toHaveLength(mostRows);
    expect(places[0]).toBe(`${mostRows + 49}`);
    expect(total).toBe(mostRows + 50);
    const paused = outcome({ kind: 'pause' }, came(...many), came('last'));
    expect(paused.held).toHaveLength(mostRows);
    expect(paused.held[0]?.place).toBe('last');
    expect(paused.heldCount).toBe(mostRows + 51);
  });

  it('is emptied for another filter, and stays paused', () => {
    expect(outcome(came('1'), { kind: 'pause' }, came('2'), { kind: 'clear' })).toEqual({
      places: [],
      total: 0,
      isPaused: true,
      held: [],
      heldCount: 0,
    });
  });
});
