import { join } from 'node:path';
import { styleText } from 'node:util';
import { examine, summarize } from '../../../services/system/doctor/examine.ts';
import type { Finding } from '../../../services/system/doctor/finding.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { readJsonIfPresent } from '../../local/data-directory/private-file.ts';
import { toReadyUrl } from '../../local/supervisor/service-environment.ts';
import type { CommandContext } from '../command-context.ts';
import { checkDataDirectory } from '../doctor/check-data-directory.ts';

/** `annals doctor`: changes nothing. The exit code is 1 if there is a fault. */
export async function doctor(context: CommandContext): Promise<number> {
  const { installation, isJson, output } = context;
  const findings: Finding[] = [];
  const report = (found: readonly Finding[]): void => {
    findings.push(...found);
    for (const finding of isJson ? [] : found) output.print(toLine(finding));
  };
  const { dataDir, secretKey, api } = installation;
  report(checkDataDirectory(dataDir, secretKey));
  const known = { processes: findSavedProcesses(dataDir), api: api?.url };
  await examine(installation, known, report);
  const examined = summarize(findings);
  const { faults, warnings, acknowledged } = examined;
  const counts = [
    counted(findings.length, 'check'),
    counted(warnings, 'warning'),
    ...(acknowledged === 0 ? [] : [counted(acknowledged, 'acknowledged warning')]),
    counted(faults, 'fault'),
  ];
  context.printResult(examined, [`${counts.join(', ')}.`]);
  return faults === 0 ? 0 : 1;
}

const colors = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

/** Colored on a terminal, unless NO_COLOR is set. */
function toLine({ verdict, says, remedy, follows, acknowledged }: Finding): string {
  const color = acknowledged === undefined ? colors[verdict] : 'gray';
  const mark = styleText(color, verdict.padEnd(7), { stream: process.stdout });
  const cause = follows === undefined ? '' : ` Caused by: ${follows}.`;
  if (acknowledged !== undefined) {
    const { byName, byId, at, reason } = acknowledged;
    const by = `${byName ?? byId} on ${at.slice(0, 10)}: ${reason}`;
    return `${mark}  ${says}${cause} Acknowledged by ${toPlainText(by)}`;
  }
  return `${mark}  ${says}${cause}${remedy === undefined ? '' : ` Remedy: ${remedy}`}`;
}

/** Replaces control characters, which a terminal would interpret. */
function toPlainText(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** Matches the names of health ports in `ports.json`, the file in which `npm start` saves its ports. */
const healthPort = /^(.+)Health$/;

/** Returns the processes of a running or starting `npm start`: their names, by the URL of their readiness check. */
function findSavedProcesses(directory: string | undefined): ReadonlyMap<string, string> {
  if (directory === undefined) return new Map();
  const isRunning = ['access.json', 'starting.json'].some(
    (file) => readJsonIfPresent(join(directory, file)) !== undefined,
  );
  const ports = toObject(readJsonIfPresent(join(directory, 'ports.json')));
  return new Map(
    Object.entries(isRunning ? ports : {}).flatMap(([key, port]) => {
      const name = healthPort.exec(key)?.[1];
      return name === undefined ? [] : [[toReadyUrl(Number(port)), name] as const];
    }),
  );
}
