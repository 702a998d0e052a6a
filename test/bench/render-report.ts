import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchCase, BenchCost, BenchFigures } from './bench.ts';

export interface NamedFigures extends BenchFigures {
  readonly bench: string;
}

const path = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');

/** Writes `docs/benchmarks.md` and returns its path. */
export function writeReport(figures: readonly NamedFigures[], surroundings: string): string {
  writeFileSync(path, renderReport(figures, surroundings));
  return path;
}

function renderReport(figures: readonly NamedFigures[], surroundings: string): string {
  return `# Benchmarks

Written by \`npm run bench -- --report\`. Product and yardstick ran in turns, on the same machine, both flushing to disk
before they respond; every figure is the median of its rounds. A ratio above 1 means better than the yardstick.

${surroundings}

| bench | product | yardstick | ratio | target |
|---|---|---|---|---|
${figures.map(toRow).join('\n')}

${figures.map(toDetails).join('\n\n')}
`;
}

function toRow({ bench, value, unit, yardstick, ratio, target }: NamedFigures): string {
  return `| \`${bench}\` | ${show(value)} ${unit} | ${show(yardstick)} | ${ratio} | ${target} |`;
}

function toDetails({
  bench,
  value,
  unit,
  yardstick,
  ratio,
  target,
  ...extra
}: NamedFigures): string {
  const lines = Object.entries(extra).map(([name, figure]) =>
    typeof figure === 'object' ? toTable(figure) : `- ${name}: ${show(figure)}`,
  );
  return [`## \`${bench}\``, '', ...lines].join('\n');
}

function toTable(rows: readonly BenchCase[] | readonly BenchCost[]): string {
  const costs = rows.filter((row) => 'cost' in row);
  return costs.length > 0 ? toCosts(costs) : toCases(rows.filter((row) => 'p50Ms' in row));
}

function toCosts(costs: readonly BenchCost[]): string {
  const processes = [...new Set(costs.flatMap(({ cost }) => Object.keys(cost)))];
  const rows = costs.map(({ work, subject, cost }) =>
    toCells([work, subject, ...processes.map((name) => cost[name] ?? '')]),
  );
  const head = toCells(['work', 'subject', ...processes.map((name) => `${name}, µs`)]);
  return ['', head, toCells(['---', '---', ...processes.map(() => '---')]), ...rows].join('\n');
}

function toCells(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function toCases(cases: readonly BenchCase[]): string {
  const rows = cases.map(({ name, p50Ms, p95Ms, below }) => {
    const target = below === undefined ? '' : `below ${below}`;
    return `| ${name} | ${show(p50Ms)} | ${show(p95Ms)} | ${target} |`;
  });
  return ['', '| request | p50, ms | p95, ms | target of p95 |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function show(figure: number | string): string {
  return typeof figure === 'number' ? figure.toLocaleString('en') : figure;
}
