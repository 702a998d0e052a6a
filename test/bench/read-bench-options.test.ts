import { describe, expect, it } from 'vitest';
import { readBenchOptions } from './read-bench-options.ts';

const known = ['writes', 'reads', 'start'];

describe('the command line of the benches', () => {
  it('selects the named benches, or all benches by default', () => {
    expect(readBenchOptions([], known)).toEqual({ names: known, isQuick: false, isReport: false });
    expect(readBenchOptions(['reads', '--quick'], known)).toEqual({
      names: ['reads'],
      isQuick: true,
      isReport: false,
    });
  });

  it.each(['nothing', '--verbose'])('is rejected with an unknown name: %s', (arg) => {
    expect(readBenchOptions(['writes', arg], known)).toContain(`Unknown bench "${arg}"`);
  });

  it('can request a report of all benches, named or not', () => {
    expect(readBenchOptions(['--report'], known)).toMatchObject({ names: known, isReport: true });
    expect(readBenchOptions(['--report', 'start', 'writes', 'reads'], known)).toMatchObject({
      isReport: true,
    });
  });

  it.each([
    ['--report', 'writes'],
    ['--report', '--quick'],
    ['writes', '--quick', '--report'],
  ])('is rejected if it requests a report of only some benches: %s %s %s', (...args) => {
    expect(readBenchOptions(args, known)).toMatch(/--report would replace .* leave out/);
  });

  it('can request a comparison of processor time with another commit', () => {
    const line = ['cost', '--against', 'abc1234', '--quick'];
    expect(readBenchOptions(line, ['cost', 'reads'])).toMatchObject({
      names: ['cost'],
      against: 'abc1234',
      isQuick: true,
    });
  });

  it('can set the number of records that the cost bench stores', () => {
    const line = ['cost', '--records', '1000000', '--against', 'abc1234'];
    expect(readBenchOptions(line, ['cost', 'reads'])).toMatchObject({
      names: ['cost'],
      against: 'abc1234',
      records: 1_000_000,
    });
  });

  it.each([
    [['cost', '--against'], '--against needs a commit'],
    [['reads', '--against', 'abc1234'], '--against is an option of the bench cost'],
    [['cost', '--records'], '--records needs a number'],
    [['cost', '--records', 'many'], '--records needs a number'],
    [['cost', '--records', '0'], '--records needs a number'],
    [['reads', '--records', '5'], '--records is an option of the bench cost'],
  ])(
    'is rejected if an option of the cost bench is invalid or used with another bench: %j',
    (line, reason) => {
      expect(readBenchOptions(line, ['cost', 'reads'])).toContain(reason);
    },
  );
});
