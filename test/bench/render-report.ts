import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { javaCommand, kafkaVersion } from '../../infra/prerequisites.mjs';
import type { BenchCase, BenchFigures } from './bench.ts';

export interface NamedFigures extends BenchFigures {
  readonly bench: string;
}

const path = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');

/** Writes `docs/benchmarks.md` and answers its path. */
export function writeReport(figures: readonly NamedFigures[]): string {
  writeFileSync(path, renderReport(figures, describeMachine()));
  return path;
}

export function renderReport(figures: readonly NamedFigures[], machine: string): string {
  return `# Benchmarks

Written by \`npm run bench -- --report\`. Product and yardstick ran in turns, on the same machine, both flushing to disk
before they answer; every figure is the median of its rounds. A ratio above 1 means better than the yardstick.

${machine}

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
    typeof figure === 'object' ? toCases(figure) : `- ${name}: ${show(figure)}`,
  );
  return [`## \`${bench}\``, '', ...lines].join('\n');
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

function describeMachine(): string {
  const [cpu] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const java = execFileSync(javaCommand(process.env['JAVA_HOME']), ['--version'], {
    encoding: 'utf8',
  }).split('\n')[0];
  const date = new Date().toISOString().slice(0, 10);
  return (
    `${date}, ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${gibibytes} GiB, ${type()} ${release()}; ` +
    `Node ${process.versions.node}, Apache Kafka ${kafkaVersion} on ${java}. Broker, database, services and load ` +
    'generator share the machine.'
  );
}
