/**
 * Returns the result of `read`, or `fallback` if it throws, because the file or process may be gone, damaged, or
 * inaccessible.
 */
export function tryOr<Result>(read: () => Result, fallback: Result): Result {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** Returns undefined for a text that is not JSON. */
export const parseJson = (text: string): unknown => tryOr(() => JSON.parse(text), undefined);
