import { OperatorError } from '../local/operator-error.ts';

/** The command line is incomplete or contradictory. Exit code 2. */
export class UsageError extends OperatorError {}

/** Printed after errors in the command line. */
export const usageHint = 'Use --help to show the options.';
