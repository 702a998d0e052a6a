import type { QueryResult } from 'pg';
import { expect, it } from 'vitest';
import type { Queryable } from '../../../shared/db/pool.ts';
import { tooSlow } from '../../../shared/search/open-search-pool.ts';
import { attemptsBySteps, changesBySteps, countStored } from './count-stored.ts';
import { frameOf } from './series-frame.ts';

const now = Date.parse('2026-01-01T12:00:30Z');
const frame = frameOf('1h', now);

/** A database that returns the rows of the table that a statement reads, or throws its error. */
function aDatabase(found: Readonly<Record<string, Error | readonly object[]>>): Queryable {
  return {
    async query({ text }) {
      const rows = Object.entries(found).find(([table]) => text.includes(table))?.[1] ?? [];
      if (rows instanceof Error) throw rows;
      return { rows } as QueryResult;
    },
  };
}

it('passes the range of the frame and its step to the statements', () => {
  expect(changesBySteps(frame).values).toEqual([frame.from, frame.to, 60_000]);
  expect(attemptsBySteps(frame).values).toEqual([
    '2026-01-01 11:01:00.000',
    '2026-01-01 12:01:00.000',
    60_000,
  ]);
});

it('divides counts by the elapsed seconds of a step and counts 0 without a row', async () => {
  const database = aDatabase({
    record_history: [
      { step: 58, count: 120 },
      { step: 59, count: 60 },
    ],
    attempts: [{ step: 59, ok: 30, failed: 3 }],
  });
  const { changes, deliveriesOk, deliveriesFailed } = await countStored(database, frame);
  expect(changes.slice(-3)).toEqual([0, 2, 2]);
  expect(deliveriesOk.slice(-2)).toEqual([0, 1]);
  expect(deliveriesFailed.at(-1)).toBe(0.1);
});

it('returns no numbers for a missing table or a slow count', async () => {
  const missing = Object.assign(new Error('missing'), { code: '42P01' });
  const database = aDatabase({ record_history: tooSlow(), attempts: missing });
  const { changes, deliveriesOk } = await countStored(database, frame);
  expect(new Set([...changes, ...deliveriesOk])).toEqual(new Set([null]));
});

it('rethrows other errors', async () => {
  const database = aDatabase({ record_history: new Error('lost') });
  await expect(countStored(database, frame)).rejects.toThrow('lost');
});
