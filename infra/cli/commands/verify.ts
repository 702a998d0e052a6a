import { counted } from '../../../shared/domain/counted.ts';
import type { CommandContext } from '../command-context.ts';
import { verifyReadModel } from '../verify/verify-read-model.ts';

/** `annals verify`: the exit code is 1 if anything differs. */
export async function verify({
  installation,
  isJson,
  output,
  progress,
}: CommandContext): Promise<number> {
  const shown = progress('Verifying');
  const result = await verifyReadModel({ ...installation, onProgress: shown.update });
  shown.finish();
  if (isJson) {
    output.print(JSON.stringify(result));
  } else {
    for (const { table, key, column, expected, found } of result.list) {
      output.print(
        `${table} ${key} ${column}: the log says ${JSON.stringify(expected)}, Postgres ${JSON.stringify(found)}`,
      );
    }
    const { differences, events, records } = result;
    const judgement =
      differences === 0 ? 'Postgres holds what the log says' : counted(differences, 'difference');
    output.print(`${judgement}: ${counted(events, 'event')} of ${counted(records, 'record')}.`);
  }
  return result.differences === 0 ? 0 : 1;
}
