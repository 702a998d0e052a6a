import { OperatorError } from '../local/operator-error.ts';

/** The command line does not say enough, or contradicts itself: exit code 2. */
export class UsageError extends OperatorError {}
