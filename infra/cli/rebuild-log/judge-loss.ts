import type { LogVerdict } from '../../../shared/installation/assess-log.ts';
import type { LogInspection } from '../../../shared/installation/inspect-log.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { OperatorError } from '../../local/operator-error.ts';

/**
 * Undefined: the log has to be written. Else it is, the answer is its new mark, and only the later steps are left. Throws
 * OperatorError unless Postgres has a read model and its log is gone, or is damaged and to be replaced. `hasEntries` names
 * topics that are not empty, those of an unfinished run left out.
 */
export function judgeLoss(
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
      'Postgres has no read model that the log could be written from: restore a backup of Kafka or of Postgres.',
    );
  }
  if (isUnfinished && mark !== undefined && isNextOf(database.mark, mark)) return mark;
  if (verdict.kind === 'known' || verdict.kind === 'unmarked') {
    throw new OperatorError(
      isReplacing
        ? 'The log is whole: nothing was changed.'
        : 'The log is not lost: nothing was changed. annals rebuild makes the tables anew from it.',
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
    `Kafka has entries of Annals in ${hasEntries.join(', ')}, and rebuild-log writes only where there are none: nothing was changed.${why}`,
  );
}

function isNextOf(known: Mark | undefined, mark: Mark): boolean {
  return (
    known === undefined ||
    (mark.generation > known.generation && mark.installationId === known.installationId)
  );
}
