import type { LogVerdict } from '../../../shared/installation/assess-log.ts';
import type { LogInspection } from '../../../shared/installation/inspect-log.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { OperatorError } from '../../local/operator-error.ts';

/**
 * Returns undefined if the log has to be written. Otherwise it has been written: returns its new mark, and only the
 * later steps are left. Throws OperatorError unless Postgres has a read model and its log is lost, or is damaged and
 * to be replaced. `hasEntries` lists topics that are not empty, excluding those of an unfinished run.
 */
export function findWrittenMark(
  { findings, verdict }: LogInspection,
  {
    hasEntries,
    isUnfinished,
    isReplacing,
  }: { hasEntries: readonly string[]; isUnfinished: boolean; isReplacing: boolean },
): Mark | undefined {
  const { mark, foreignMark, database } = findings;
  if (database === undefined || database.positions.length === 0) {
    throw new OperatorError(
      'Postgres has no read model from which the log could be written: restore a backup of Kafka or of Postgres.',
    );
  }
  if (isUnfinished && mark !== undefined && isNextOf(database.mark, mark)) return mark;
  if (verdict.kind === 'known' || verdict.kind === 'unmarked') {
    throw new OperatorError(
      isReplacing
        ? 'The log is complete. Nothing was changed.'
        : 'The log is not lost. Nothing was changed. To rebuild the tables from it, run annals rebuild.',
    );
  }
  if (isReplacing && verdict.kind === 'refused' && verdict.isReplaceable === true) return undefined;
  if (mark !== undefined || foreignMark !== undefined || hasEntries.length > 0)
    throw refuseEntries(hasEntries, verdict);
  return undefined;
}

function refuseEntries(hasEntries: readonly string[], verdict: LogVerdict): OperatorError {
  const why = verdict.kind === 'refused' ? ` ${verdict.says}: ${verdict.remedy}.` : '';
  return new OperatorError(
    `Kafka has entries of Annals in ${hasEntries.join(', ')}, but rebuild-log writes only into empty topics. Nothing was changed.${why}`,
  );
}

function isNextOf(known: Mark | undefined, mark: Mark): boolean {
  return (
    known === undefined ||
    (mark.generation > known.generation && mark.installationId === known.installationId)
  );
}
