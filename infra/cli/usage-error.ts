import { OperatorError } from '../local/operator-error.ts';

/** The command line is incomplete or contradictory: exit code 2. */
export class UsageError extends OperatorError {}

/** Printed after errors in the command line. */
export const usageHint = '--help shows the options.';
