import {
  type RunningProcess,
  readSettings,
} from '../../../services/system/settings/read-settings.ts';
import type { ShownSetting } from '../../../shared/config/shown-settings.ts';
import type { CommandContext } from '../command-context.ts';
import { requireKafka } from '../require-log.ts';
import { toTable } from '../to-table.ts';

/** `annals settings`: prints the settings of every process, without secrets. */
export async function settings({ installation, printResult }: CommandContext): Promise<void> {
  await requireKafka(installation);
  const found = await readSettings(installation);
  printResult(found, [`Postgres ${found.postgresVersion}`, ...found.processes.flatMap(toLines)]);
}

function toLines({ service, address, told }: RunningProcess): readonly string[] {
  if (told === null) return ['', `${service} at ${address} does not respond.`];
  const { version, nodeVersion, startedAt } = told;
  const rows = told.settings.map((one) => [one.name, toValue(one), one.source]);
  return [
    '',
    `${service} at ${address}: Annals ${version}, Node ${nodeVersion}, since ${startedAt}`,
    ...toTable([['setting', 'value', 'from'], ...rows]),
  ];
}

function toValue({ isSecret, source, value }: ShownSetting): string {
  if (isSecret && source !== 'unset') return '(set)';
  return value ?? '';
}
