import v8 from 'node:v8';
import { counted } from '../../../shared/domain/counted.ts';
import type { CommandContext } from '../command-context.ts';
import { refuseDamagedLog } from '../require-log.ts';
import type { VerifyResult } from '../verify/verification.ts';
import { verifyReadModel } from '../verify/verify-read-model.ts';

export interface VerifyOptions {
  /** In percent. */
  readonly sample?: number;
  readonly since?: Date;
}

/** `annals verify`: the exit code is 1 if anything differs, or a replica of the log is damaged. */
export async function verify(context: CommandContext, options: VerifyOptions): Promise<number> {
  const { sample, since } = options;
  const { installation, printResult, progress } = context;
  limitYoungGeneration();
  await refuseDamagedLog(installation);
  const shown = progress('Verifying');
  const result = await verifyReadModel(installation, {
    thread: installation,
    onProgress: shown.update,
    ...(sample !== undefined && { samplePercent: sample }),
    ...(since !== undefined && { since: since.getTime() }),
  });
  shown.finish();
  const { list, differences, damaged = [] } = result;
  printResult(result, [
    ...list.map(
      ({ table, key, column, expected, found }) =>
        `${table} ${key} ${column}: the log has ${JSON.stringify(expected)}, Postgres ${JSON.stringify(found)}`,
    ),
    ...damaged.map((damage) => `The log is ${damage}. Another replica was read instead.`),
    ...toQuarantineLines(result),
    toSummary(result, toShare(options)),
  ]);
  return differences === 0 && damaged.length === 0 ? 0 : 1;
}

/**
 * Nearly all objects become garbage within milliseconds. By default, V8 would use 100 MB or more for them without being
 * faster.
 */
function limitYoungGeneration(): void {
  v8.setFlagsFromString('--max-semi-space-size=8');
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

function toQuarantineLines({ quarantined = [], unfit = [] }: VerifyResult): readonly string[] {
  return [
    ...unfit.map(
      ({ entityType, reason }) =>
        `All records of ${entityType} are quarantined, because Postgres rejects its definition: ${reason}`,
    ),
    ...quarantined.map(
      ({ entityType, id, entries }) =>
        `${entityType} ${id} is quarantined: the tables lack ${counted(entries.length, 'entry')} of it, starting at ${entries[0]} (see annals rejected show)`,
    ),
  ];
}

function toSummary(
  { differences, events, records, quarantined, unfit, unexamined }: VerifyResult,
  share: string,
): string {
  const least = unexamined === undefined ? '' : 'at least ';
  const verdict =
    differences === 0
      ? `Postgres matches the log${(quarantined ?? unfit) === undefined ? '' : ', except for quarantined records'}`
      : `${least}${counted(differences, 'difference')}`;
  const rest =
    unexamined === undefined
      ? ''
      : ` ${unexamined} % of the records, which have further differences, were not examined in detail.`;
  return `${verdict}: ${counted(events, 'event')} of ${counted(records, 'record')}${share}.${rest}`;
}

function toShare({ sample, since }: VerifyOptions): string {
  if (since !== undefined) return `, since ${since.toISOString()}`;
  return sample === undefined ? '' : `, ${sample} % of all`;
}
