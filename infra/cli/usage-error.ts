import { OperatorError } from '../local/operator-error.ts';

/** Thrown for an incomplete or contradictory command line. The exit code is 2. */
export class UsageError extends OperatorError {}

/** Printed after command-line errors. */
export const usageHint = 'Use --help to show the options.';
