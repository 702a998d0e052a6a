import type { LogFindings } from '../../../shared/installation/assess-log.ts';
import type { LogInspection } from '../../../shared/installation/inspect-log.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { Installation } from '../installation.ts';

/** Returns the mark of a log whose other partitions exist. Throws OperatorError otherwise. */
export function requireLog(
  { topics }: Installation,
  { findings, verdict }: LogInspection,
  partition: number,
): Mark {
  const { mark, log } = findings;
  if (verdict.kind === 'refused' && verdict.isReplaceable !== true && !isOnlyOlder(findings)) {
    throw new OperatorError(`${verdict.says}: ${verdict.remedy}. Nothing was changed.`);
  }
  const found = log.topics.get(topics.records);
  if (mark === undefined || found?.id !== mark.topics[topics.records]?.id) {
    throw new OperatorError(
      'More than one partition of the log is lost: run annals rebuild-log --replace to rewrite all of them.',
    );
  }
  if (partition < (mark.topics[topics.records]?.used ?? 0)) return mark;
  throw new OperatorError(`${topics.records} has no partition ${partition}. Nothing was changed.`);
}

/** True after a run that ended between the mark in Kafka and the mark in Postgres. */
function isOnlyOlder({ mark, database }: LogFindings): boolean {
  return isNewer(mark, database?.mark) && mark?.installationId === database?.mark?.installationId;
}

/** Returns whether the mark in Kafka has a later generation than the mark in Postgres. */
export function isNewer(mark: Mark | undefined, stored: Mark | undefined): boolean {
  return mark !== undefined && stored !== undefined && mark.generation > stored.generation;
}
