import type { LookedAt } from '../../../shared/installation/look-at-log.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** What is to be done: everything, or only what follows once the log has its new mark. */
export type Loss = 'lost' | 'written';

/**
 * Throws OperatorError unless Postgres has a read model and its log is gone. `hasEntries` names topics that are not
 * empty, those of an unfinished run left out.
 */
export function judgeLoss(
  { findings, verdict }: LookedAt,
  { hasEntries, isUnfinished }: { hasEntries: readonly string[]; isUnfinished: boolean },
): Loss {
  const { mark, foreignMark, database } = findings;
  if (database === undefined || database.positions.length === 0) {
    throw new OperatorError(
      'Postgres has no read model that the log could be written from: restore a backup of Kafka or of Postgres.',
    );
  }
  const known = database.mark;
  const isNext = mark !== undefined && known !== undefined && mark.generation > known.generation;
  if (isUnfinished && isNext && mark.installationId === known.installationId) return 'written';
  if (verdict.kind === 'known' || verdict.kind === 'unmarked') {
    throw new OperatorError('The log is not lost: nothing was changed. annals rebuild makes the tables anew from it.');
  }
  if (mark !== undefined || foreignMark !== undefined || hasEntries.length > 0) {
    const topics = hasEntries.length > 0 ? ` (${hasEntries.join(', ')})` : '';
    throw new OperatorError(
      `Kafka still has entries of Annals${topics}: rebuild-log writes into an empty Kafka only. ${verdict.kind === 'refused' ? `${verdict.says}: ${verdict.remedy}.` : ''}`.trim(),
    );
  }
  return 'lost';
}
