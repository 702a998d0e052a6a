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

  it('compares processor time with another commit', () => {
    const line = ['cost', '--against', 'abc1234', '--quick'];
    expect(readBenchOptions(line, ['cost', 'reads'])).toMatchObject({
      names: ['cost'],
      against: 'abc1234',
      isQuick: true,
    });
  });

  it.each([
    [['cost', '--against'], '--against needs a commit'],
    [['reads', '--against', 'abc1234'], 'which only the bench cost measures'],
  ])('is rejected if a comparison has no commit or names another bench: %j', (line, reason) => {
    expect(readBenchOptions(line, ['cost', 'reads'])).toContain(reason);
  });
});
