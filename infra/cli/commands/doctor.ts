import { styleText } from 'node:util';
import { examine, sumUp } from '../../../services/operations/doctor/examine.ts';
import type { Finding } from '../../../services/operations/doctor/finding.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { CommandContext } from '../command-context.ts';
import { checkDataDirectory } from '../doctor/check-data-directory.ts';
import { findNotedProcesses } from '../doctor/find-noted-processes.ts';

/** `annals doctor`: read-only. The exit code is 1 if there is a fault. */
export async function doctor(context: CommandContext): Promise<number> {
  const { installation, isJson, output } = context;
  const findings: Finding[] = [];
  const tell = (found: readonly Finding[]): void => {
    findings.push(...found);
    for (const finding of isJson ? [] : found) output.print(toLine(finding));
  };
  const { dataDir, secretKey, api } = installation;
  tell(checkDataDirectory(dataDir, secretKey));
  const known = { processes: findNotedProcesses(dataDir), api: api?.url };
  await examine(installation, known, tell);
  const examined = sumUp(findings);
  const { faults, warnings } = examined;
  context.printResult(examined, [
    `${counted(findings.length, 'check')}, ${counted(warnings, 'warning')}, ${counted(faults, 'fault')}.`,
  ]);
  return faults === 0 ? 0 : 1;
}

const colors = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

/** Coloured on a terminal, unless NO_COLOR is set. */
function toLine({ verdict, about, says, remedy }: Finding): string {
  const mark = styleText(colors[verdict], verdict.padEnd(7), { stream: process.stdout });
  return `${mark}  ${about} ${says}${remedy === undefined ? '' : `. Remedy: ${remedy}`}`;
}
