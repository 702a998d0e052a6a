import { OperatorError } from '../local/operator-error.ts';

/** The command line does not say enough, or contradicts itself: exit code 2. */
export class UsageError extends OperatorError {}

/** Stands below whatever is told of a wrong command line. */
export const usageHint = '--help shows the options.';
