import { describe, expect, it } from 'vitest';
import { readProjectFile } from './source-files.ts';

const benchmarks = readProjectFile('docs/benchmarks.md');
const [, sizing = ''] = readProjectFile('docs/operations/install.md').split('\n## Sizing\n');
const row = /^\| [^|]+ \| ([\d,]+) \| `(\w+)(?:[.](\w+))?` \|$/gm;
const rows = [...sizing.matchAll(row)].map(([, figure = '', bench = '', extra]) => ({
  promised: toNumber(figure),
  bench,
  extra,
}));

function toNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Returns the value of a benchmark in the table, or one of the figures below its heading. */
function measured(bench: string, extra: string | undefined): number {
  if (extra === undefined) {
    const [, value = ''] =
      new RegExp(`^\\| \`${bench}\` \\| ([\\d,.]+) `, 'm').exec(benchmarks) ?? [];
    return toNumber(value);
  }
  const [, section = ''] = benchmarks.split(`\n## \`${bench}\`\n`);
  const [, value = ''] = new RegExp(`^- ${extra}: ([\\d,.]+)$`, 'm').exec(section) ?? [];
  return toNumber(value);
}

it('states a rebuild time that matches the promised rate', () => {
  const rebuild = rows.find(({ bench }) => bench === 'rebuild')?.promised ?? 0;
  const [, events, hours] = /(\d+) million events take (\d+) hours/.exec(sizing) ?? [];
  expect(Number(hours)).toBe(Math.ceil((Number(events) * 1e6) / rebuild / 3_600));
});

describe('the capacities in docs/operations/install.md', () => {
  it('are found in the table', () => expect(rows.length).toBeGreaterThan(6));

  it.each(rows)(
    'are at most the measured value and more than a third of it: $bench $extra',
    ({ promised, bench, extra }) => {
      const value = measured(bench, extra);
      expect(promised).toBeLessThanOrEqual(value);
      expect(promised).toBeGreaterThan(value / 3);
    },
  );
});
