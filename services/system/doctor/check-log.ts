import type { Observed } from '../../../shared/installation/observed.ts';
import { judgeInstalledLog } from '../installation/inspect-installed-log.ts';
import { asCause, type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('log');

/** Checks that the log belongs to this installation, and that foreign entries are rejected. */
export async function checkLog(installation: Observed): Promise<Finding> {
  const verdict = await judgeInstalledLog(installation);
  if (verdict.kind === 'refused')
    return asCause(fault(`is refused: ${verdict.says}`, verdict.remedy));
  if (verdict.kind !== 'known')
    return warning('has no mark yet', 'start an api or a projector, which marks it');
  const { installationId, generation, sealed } = verdict.mark;
  if (sealed) return ok(`belongs to installation ${installationId}, generation ${generation}`);
  return warning(
    'accepts entries without an authentication code, as earlier versions write them',
    'once no process of an earlier version is running, run annals topics seal',
  );
}
