import { describe, expect, it } from 'vitest';
import { splitRepeats } from './find-repeats.ts';
import type { ImportPlan } from './import-plan.ts';

const plan = {
  attributes: ['firstName', 'lastName', 'emailAddress', 'description'],
  updateBy: [],
  duplicates: 'skip',
} as unknown as ImportPlan;

function repeatedIn(rows: readonly string[], changes: Partial<ImportPlan> = {}) {
  const read = rows.map((row, index) => ({ index, cells: row.split(',') }));
  return splitRepeats(read, { ...plan, ...changes }).repeated.map(({ index }) => index);
}

describe('rows that may be the same record', () => {
  it('have the same name or e-mail address, regardless of case and accents', () => {
    expect(repeatedIn(['Ann,Lee,a@x,1', 'ánn,LEE ,,2', 'Bo,Lee,A@X,3', 'Bo,Ray,b@x,1'])).toEqual([
      1, 2,
    ]);
    expect(repeatedIn([',,,', ',,,'])).toEqual([]);
  });

  it('have the same texts in the columns that identify a record', () => {
    const byDescription = { updateBy: [3], duplicates: 'ignore' } as const;
    expect(repeatedIn(['Ann,Lee,,1', 'Ann,Lee,,2', 'Bo,Ray,,1'], byDescription)).toEqual([2]);
  });

  it('are not determined without a check for duplicates', () => {
    expect(repeatedIn(['Ann,Lee,a@x', 'Ann,Lee,a@x'], { duplicates: 'ignore' })).toEqual([]);
  });
});
