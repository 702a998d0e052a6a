import { judgeInstalledLog } from '../../services/system/installation/inspect-installed-log.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/**
 * Throws OperatorError for a log that is known to be damaged. A gap that no process has detected yet makes the read
 * fail.
 */
export async function refuseDamagedLog(installation: Installation): Promise<void> {
  const verdict = await judgeInstalledLog(installation);
  if (verdict.kind !== 'refused' || verdict.isReplaceable !== true) return;
  throw new OperatorError(`The log is damaged: ${verdict.says}. ${verdict.remedy}.`);
}
