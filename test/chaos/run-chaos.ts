// Environment: CHAOS_SEED, CHAOS_RUNS, CHAOS_SECONDS, CHAOS_PAUSE (ms), CHAOS_FAULTS=api, CHAOS_SABOTAGE; see docs/architecture/faults.md.
import { expect, it } from 'vitest';
import { type ChaosReport, runChaosOnce } from './run-once.ts';

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

function print({ seed, operations, faults, longestGapMs, violations, kept }: ChaosReport): void {
  const { afterKill, afterPause } = longestGapMs;
  process.stdout.write(
    [
      `seed ${seed}: ${operations} operations, ${faults.length} faults, longest gap ${afterKill} ms after kill, ${afterPause} ms after pause`,
      ...faults.map(({ what, ms }) => `  ${what} (${ms} ms)`),
      ...violations.map((violation) => `  VIOLATION ${violation}`),
      ...(kept === undefined ? [] : [`  kept in ${kept}`]),
      '',
    ].join('\n'),
  );
}
