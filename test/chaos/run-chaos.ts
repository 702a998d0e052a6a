// Environment: CHAOS_SEED, CHAOS_RUNS, CHAOS_SECONDS, CHAOS_PAUSE (ms), CHAOS_FAULTS=api, CHAOS_SABOTAGE; see docs/architecture/faults.md.
import { expect, it } from 'vitest';
import type { Fault } from './nemesis.ts';
import { type ChaosReport, type Gap, runChaosOnce } from './run-once.ts';

const option = (name: string): string | undefined => process.env[`CHAOS_${name}`] || undefined;
const firstSeed = Number(option('SEED') ?? Math.floor(Math.random() * 1e9));
const runs = Number(option('RUNS') ?? 1);
const seconds = Number(option('SECONDS') ?? 20);
const sabotage = option('SABOTAGE');
const RUN_LIMIT_MS = 600_000;

for (let run = 0; run < runs; run++) {
  const seed = firstSeed + run;
  it(`finds no violation with seed ${seed}`, { timeout: RUN_LIMIT_MS }, async () => {
    const report = await runChaosOnce({
      seed,
      seconds,
      clients: 12,
      longestPauseMs: Number(option('PAUSE') ?? 5_000),
      onlyApis: option('FAULTS') === 'api',
      ...(sabotage === undefined ? {} : { sabotage }),
    });
    print(report);
    expect(report.violations).toEqual([]);
  });
}

function print({ seed, operations, faults, gaps, violations, kept }: ChaosReport): void {
  process.stdout.write(
    [
      `seed ${seed}: ${operations} operations, ${faults.length} faults, longest gap ${longest(gaps, 'kill')} ms after kill, ${longest(gaps, 'pause')} ms after pause`,
      ...faults.map((fault) => `  ${fault.what} (${fault.ms} ms)${describeGap(gaps, fault)}`),
      ...violations.map((violation) => `  VIOLATION ${violation}`),
      ...(kept === undefined ? [] : [`  kept in ${kept}`]),
      '',
    ].join('\n'),
  );
}

function longest(gaps: readonly Gap[], kind: string): number {
  const ofKind = gaps.filter(({ fault }) => fault.what.startsWith(kind));
  return Math.max(0, ...ofKind.map(({ ms }) => ms));
}

function describeGap(gaps: readonly Gap[], fault: Fault): string {
  const gap = gaps.find((one) => one.fault === fault);
  if (gap === undefined) return '';
  return `: partition ${gap.partition} waited ${gap.ms} ms, ${gap.beganMs} ms after it began`;
}
