import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { LogDamaged } from '../../../shared/kafka/log-damaged.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** Returns an OperatorError if the error is about a damaged log; otherwise the error itself. */
export function orRefusal(error: unknown): unknown {
  if (error instanceof BatchDamaged) {
    return new OperatorError(
      `The log is ${error.message}, so the tables cannot be compared with it: ${error.remedy}.`,
    );
  }
  if (!(error instanceof LogDamaged)) return error;
  return new OperatorError(
    `The log is damaged, so the tables cannot be compared with it: ${error.message}. Do not rebuild the tables: they still contain the entries that the log has lost. ${error.remedy}.`,
  );
}
