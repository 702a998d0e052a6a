import { describe, expect, it } from 'vitest';
import { readBenchOptions } from './read-bench-options.ts';

const known = ['writes', 'reads', 'start'];

describe('the command line of the benches', () => {
  it('selects the named benches, or all of them without names', () => {
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

  it('may request a report of all benches, with or without naming them', () => {
    expect(readBenchOptions(['--report'], known)).toMatchObject({ names: known, isReport: true });
    expect(readBenchOptions(['--report', 'start', 'writes', 'reads'], known)).toMatchObject({
      isReport: true,
    });
  });

  it.each([
    ['--report', 'writes'],
    ['--report', '--quick'],
    ['writes', '--quick', '--report'],
  ])('is rejected if it requests a report of fewer: %s %s %s', (...args) => {
    expect(readBenchOptions(args, known)).toMatch(/--report would replace .* leave out/);
  });
});
