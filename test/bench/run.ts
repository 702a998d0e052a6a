// npm run bench -- [--quick] [--report] [name …], or cost --against <commit> --records <number>
import { tmpdir } from 'node:os';
import {
  startTestInfrastructure,
  type TestInfrastructure,
} from '../support/harness/test-infrastructure.ts';
import { benchAppend } from './append/bench-append.ts';
import type { Bench, BenchContext } from './bench.ts';
import { benchCost } from './cost/bench-cost.ts';
import { benchDelivery } from './delivery/bench-delivery.ts';
import {
  describeCommit,
  describeSurroundings,
  readJavaVersion,
  readPostgresVersion,
} from './describe-surroundings.ts';
import { benchIdle } from './idle/bench-idle.ts';
import { benchImport } from './import/bench-import.ts';
import { benchIsolation } from './isolation/bench-isolation.ts';
import { benchMatching } from './matching/bench-matching.ts';
import { benchPeers } from './peers/bench-peers.ts';
import { benchProjection } from './projection/bench-projection.ts';
import { type BenchOptions, readBenchOptions } from './read-bench-options.ts';
import { benchReads } from './reads/bench-reads.ts';
import { benchRebuild } from './rebuild/bench-rebuild.ts';
import { type NamedFigures, writeReport } from './render-report.ts';
import { benchSearch } from './search/bench-search.ts';
import { benchStart } from './start/bench-start.ts';
import { benchWrites } from './writes/bench-writes.ts';

const benches: Readonly<Record<string, Bench>> = {
  writes: benchWrites,
  cost: benchCost,
  append: benchAppend,
  reads: benchReads,
  search: benchSearch,
  import: benchImport,
  projection: benchProjection,
  rebuild: benchRebuild,
  matching: benchMatching,
  delivery: benchDelivery,
  isolation: benchIsolation,
  idle: benchIdle,
  start: benchStart,
  peers: benchPeers,
};
/** Stopping everything takes a few more seconds. */
const MAX_BENCH_MS = 52_000;

/** Close functions of everything that runs, in the order of opening. */
const open: (() => Promise<unknown>)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeDownTo(0).finally(() => process.exit(130)));
}
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = readBenchOptions(args, Object.keys(benches));
  if (typeof options === 'string') {
    print(options);
    return 2;
  }
  // Determined at the start, because the working tree may change during the run.
  const commit = describeCommit();
  const { figures, postgresVersion } = await runAll(options);
  if (options.isReport) {
    const javaVersion = readJavaVersion();
    const surroundings = describeSurroundings({ commit, postgresVersion, javaVersion });
    print(`The report was written to ${writeReport(figures, surroundings)}.`);
  }
  for (const one of figures) process.stdout.write(`${JSON.stringify(one)}\n`);
  return 0;
}

async function runAll(options: BenchOptions): Promise<{
  readonly figures: readonly NamedFigures[];
  readonly postgresVersion: string;
}> {
  const { names, isReport } = options;
  let infrastructure: Promise<TestInfrastructure> | undefined;
  const provide = () => (infrastructure ??= startInfrastructure());
  const figures: NamedFigures[] = [];
  try {
    for (const name of names) {
      const context = toContext(name, options, provide);
      const startedAt = performance.now();
      const found = await benches[name]?.(context);
      if (found !== undefined) figures.push({ bench: name, ...found });
      await closeDownTo(infrastructure === undefined ? 0 : 1);
      context.report(`done after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }
    const postgresVersion = isReport
      ? await readPostgresVersion((await provide()).databaseUrl)
      : '';
    return { figures, postgresVersion };
  } finally {
    await closeDownTo(0);
  }
}

function toContext(
  name: string,
  { isQuick, against, records }: BenchOptions,
  infrastructure: BenchContext['infrastructure'],
): BenchContext {
  let startedAt = performance.now();
  return {
    infrastructure,
    isQuick,
    against,
    records,
    isReady() {
      startedAt = performance.now();
    },
    hasTimeFor: (milliseconds) => performance.now() - startedAt + milliseconds < MAX_BENCH_MS,
    report: (line) => print(`${name}: ${line}`),
    opened(stop) {
      open.push(stop);
    },
  };
}

/**
 * Uses a disk, where flushes cost as much as in production; in memory they would be free. The infrastructure is the
 * first entry of `open`, so that it is stopped last.
 */
async function startInfrastructure(): Promise<TestInfrastructure> {
  const started = await startTestInfrastructure(process.env, { place: tmpdir() });
  open.unshift(started.stop);
  return started;
}

async function closeDownTo(length: number): Promise<void> {
  while (open.length > length) await open.pop()?.();
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
