// npm run bench -- [--quick] [--report] [name …]
import { type TestInfrastructure, startTestInfrastructure } from '../support/test-infrastructure.ts';
import type { Bench, BenchContext } from './bench.ts';
import { benchWrites } from './writes/bench-writes.ts';

const benches: Readonly<Record<string, Bench>> = {
  writes: benchWrites,
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = named.filter((name) => benches[name] === undefined);
  if (unknown.length > 0) {
    print(`There is no bench "${unknown[0]}": ${Object.keys(benches).join(', ')}.`);
    return 1;
  }
  const names = named.length > 0 ? named : Object.keys(benches);
  let infrastructure: Promise<TestInfrastructure> | undefined;
  const lines: string[] = [];
  try {
    for (const name of names) {
      const context: BenchContext = {
        infrastructure: () => (infrastructure ??= startTestInfrastructure(process.env)),
        isQuick: args.includes('--quick'),
        note: (line) => print(`${name}: ${line}`),
      };
      const figures = await benches[name]?.(context);
      lines.push(JSON.stringify({ bench: name, ...figures }));
    }
  } finally {
    await (await infrastructure)?.stop();
  }
  for (const line of lines) process.stdout.write(`${line}\n`);
  return 0;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
