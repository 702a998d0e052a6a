// npm run bench -- [--quick] [--report] [name …]
import {
  startTestInfrastructure,
  type TestInfrastructure,
} from '../support/test-infrastructure.ts';
import { benchAppend } from './append/bench-append.ts';
import type { Bench, BenchContext } from './bench.ts';
import { benchDelivery } from './delivery/bench-delivery.ts';
import { benchIdle } from './idle/bench-idle.ts';
import { benchIsolation } from './isolation/bench-isolation.ts';
import { benchMatching } from './matching/bench-matching.ts';
import { benchProjection } from './projection/bench-projection.ts';
import { benchReads } from './reads/bench-reads.ts';
import { benchRebuild } from './rebuild/bench-rebuild.ts';
import { type NamedFigures, writeReport } from './render-report.ts';
import { benchStart } from './start/bench-start.ts';
import { benchWrites, benchWritesOfTwo } from './writes/bench-writes.ts';

const benches: Readonly<Record<string, Bench>> = {
  writes: benchWrites,
  writes2: benchWritesOfTwo,
  append: benchAppend,
  reads: benchReads,
  projection: benchProjection,
  rebuild: benchRebuild,
  matching: benchMatching,
  delivery: benchDelivery,
  isolation: benchIsolation,
  idle: benchIdle,
  start: benchStart,
};
const options = ['--quick', '--report'];
/** Stopping what runs takes a few seconds more. */
const MAX_BENCH_MS = 52_000;

/** What runs now, the last opened last. */
const open: (() => Promise<unknown>)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeDownTo(0).finally(() => process.exit(130)));
}
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = args.find((arg) => !options.includes(arg) && benches[arg] === undefined);
  if (unknown !== undefined) {
    print(
      `There is no bench "${unknown}": ${Object.keys(benches).join(', ')}; ${options.join(', ')}.`,
    );
    return 1;
  }
  const names = named.length > 0 ? named : Object.keys(benches);
  const figures = await runAll(names, args.includes('--quick'));
  if (args.includes('--report')) print(`The report is ${writeReport(figures)}.`);
  for (const one of figures) process.stdout.write(`${JSON.stringify(one)}\n`);
  return 0;
}

async function runAll(
  names: readonly string[],
  isQuick: boolean,
): Promise<readonly NamedFigures[]> {
  let infrastructure: Promise<TestInfrastructure> | undefined;
  const figures: NamedFigures[] = [];
  try {
    for (const name of names) {
      const context = toContext(name, isQuick, () => (infrastructure ??= startInfrastructure()));
      const startedAt = performance.now();
      const found = await benches[name]?.(context);
      if (found !== undefined) figures.push({ bench: name, ...found });
      await closeDownTo(infrastructure === undefined ? 0 : 1);
      context.note(`done after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }
    return figures;
  } finally {
    await closeDownTo(0);
  }
}

function toContext(
  name: string,
  isQuick: boolean,
  infrastructure: BenchContext['infrastructure'],
): BenchContext {
  let startedAt = performance.now();
  return {
    infrastructure,
    isQuick,
    isReady() {
      startedAt = performance.now();
    },
    hasTimeFor: (milliseconds) => performance.now() - startedAt + milliseconds < MAX_BENCH_MS,
    note: (line) => print(`${name}: ${line}`),
    opened(stop) {
      open.push(stop);
    },
  };
}

/** Below everything else that is open: it is stopped last. */
async function startInfrastructure(): Promise<TestInfrastructure> {
  const started = await startTestInfrastructure(process.env);
  open.unshift(started.stop);
  return started;
}

async function closeDownTo(length: number): Promise<void> {
  while (open.length > length) await open.pop()?.();
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
