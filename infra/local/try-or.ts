/**
 * Returns the result of `read`, or `fallback` if it throws: the file or process may be gone, damaged, or
 * inaccessible.
 */
export function tryOr<Result>(read: () => Result, fallback: Result): Result {
  try {
    return read();
  } catch {
    return fallback;
  }
}
