// Environment: CHAOS_SEED, CHAOS_RUNS, CHAOS_SECONDS, CHAOS_PAUSE (ms), CHAOS_FAULTS, CHAOS_SABOTAGE; see
// docs/architecture/faults.md.
import { expect, it } from 'vitest';
import type { Fault } from './fault.ts';
import type { Hole } from './hole.ts';
import type { MadePoison } from './measure-poison.ts';
import type { Waits } from './measure-waits.ts';
import { type FaultGroup, faultGroups } from './nemesis.ts';
import { type ChaosReport, type Gap, runChaosOnce } from './run-once.ts';

const option = (name: string): string | undefined => process.env[`CHAOS_${name}`] || undefined;
const firstSeed = Number(option('SEED') ?? Math.floor(Math.random() * 1e9));
const runs = Number(option('RUNS') ?? 1);
const seconds = Number(option('SECONDS') ?? 20);
const sabotage = option('SABOTAGE');
const faults = (option('FAULTS') ?? 'processes,poison,hole').split(',').map(toFaultGroup);
const RUN_LIMIT_MS = 600_000;

for (let run = 0; run < runs; run++) {
  const seed = firstSeed + run;
  it(`a chaos run with seed ${seed} finds no violation`, { timeout: RUN_LIMIT_MS }, async () => {
    const report = await runChaosOnce({
      seed,
      seconds,
      clients: 12,
      longestPauseMs: Number(option('PAUSE') ?? 5_000),
      faults: new Set(faults),
      ...(sabotage === undefined ? {} : { sabotage }),
    });
    print(report);
    expect(report.violations).toEqual([]);
  });
}

function toFaultGroup(name: string): FaultGroup {
  const group = faultGroups.find((one) => one === name);
  if (group !== undefined) return group;
  throw new Error(`CHAOS_FAULTS contains ${name}, but must be a list of ${faultGroups.join(', ')}`);
}

function print(report: ChaosReport): void {
  const { seed, operations, acknowledged, quarantined, gaps, violations, hole, kept } = report;
  process.stdout.write(
    [
      `seed ${seed}: ${operations} operations, ${acknowledged} acknowledged writes, ${report.faults.length} faults, ${quarantined} quarantined records, longest gap ${longest(gaps, 'kill')} ms after kill, ${longest(gaps, 'pause')} ms after pause`,
      ...report.faults.map(
        (fault) => `  ${fault.what} (${fault.ms} ms)${describeGap(gaps, fault)}`,
      ),
      ...report.poisons.map(describePoison),
      ...(hole === undefined ? [] : describeHole(hole)),
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
  return `: partition ${gap.partition} was unavailable for ${gap.ms} ms, from ${gap.beganMs} ms after it`;
}

function describePoison({ fault, isUndisturbed, reads, writes }: MadePoison): string {
  const others = `other clients' writes ${describeWaits(writes)}, reads ${describeWaits(reads)}`;
  return `  after ${fault.what}${isUndisturbed ? '' : ' (during other faults)'}: ${others}`;
}

function describeWaits({ count, p50, p99, longest: most }: Waits): string {
  return `${count}: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`;
}

function describeHole({ kind, partition, refusedAfterMs, namedAs, repairMs, lost }: Hole) {
  const refused =
    refusedAfterMs === undefined ? 'writes continue' : `writes rejected after ${refusedAfterMs} ms`;
  return [
    `  hole ${kind} in partition ${partition}: ${refused}, repaired in ${repairMs} ms: ${namedAs.slice(0, 200)}`,
    ...lost.map((reason) => `    not recoverable: ${reason}`),
  ];
}
