/**
 * A problem that the person at the terminal can fix. The message is one clear sentence with the remedy; it is printed
 * without a stack trace and ends the program with exit code 1.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

export const outOfSpaceSentence = (directory: string): string =>
  `The disk with ${directory} is full: free some space, or set ANNALS_DATA_DIR to a directory on another disk.`;

export function isOutOfSpace(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Converts file system errors to messages. All other errors are bugs and are returned unchanged. */
export function toOperatorError(error: unknown, directory: string): unknown {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new OperatorError(outOfSpaceSentence(directory), { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new OperatorError(
        `${pathOf(error) ?? directory} is not writable: make it writable for this user, or set ANNALS_DATA_DIR to another directory.`,
        { cause: error },
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new OperatorError(
        `${directory} is not a directory: set ANNALS_DATA_DIR to a directory.`,
        { cause: error },
      );
    default:
      return error;
  }
}

/** Returns the file path that the error contains. */
function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error ? String(error.path) : undefined;
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
