import { expect, it } from 'vitest';
import { toTable } from './to-table.ts';

it('makes columns as wide as their longest cell and right-aligns numbers', () => {
  expect(
    toTable([
      ['topic', 'end', 'owner'],
      ['annals.records/0', 7, 'a'],
      ['b', 12_345, 'http://one'],
    ]),
  ).toEqual([
    'topic               end  owner',
    'annals.records/0      7  a',
    'b                 12345  http://one',
  ]);
  expect(toTable([['topic', 'end']])).toEqual(['topic  end']);
});
