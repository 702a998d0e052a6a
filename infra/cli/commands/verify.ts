import { counted } from '../../../shared/domain/counted.ts';
import type { CommandContext } from '../command-context.ts';
import { refuseDamagedLog } from '../refuse-damaged-log.ts';
import { verifyReadModel } from '../verify/verify-read-model.ts';

/** `annals verify`: the exit code is 1 if anything differs. */
export async function verify(context: CommandContext): Promise<number> {
  const { installation, printResult, progress } = context;
  await refuseDamagedLog(installation);
  const shown = progress('Verifying');
  const result = await verifyReadModel({ ...installation, onProgress: shown.update });
  shown.finish();
  const { list, differences, events, records } = result;
  const judgement =
    differences === 0 ? 'Postgres holds what the log says' : counted(differences, 'difference');
  printResult(result, [
    ...list.map(
      ({ table, key, column, expected, found }) =>
        `${table} ${key} ${column}: the log says ${JSON.stringify(expected)}, Postgres ${JSON.stringify(found)}`,
    ),
    `${judgement}: ${counted(events, 'event')} of ${counted(records, 'record')}.`,
  ]);
  return differences === 0 ? 0 : 1;
}
