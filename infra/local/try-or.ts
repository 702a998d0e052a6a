/**
 * Returns the result of `read`, or `fallback` if it throws, for example because a file or process is gone, damaged, or
 * inaccessible.
 */
export function tryOr<Result>(read: () => Result, fallback: Result): Result {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** Returns undefined if the text is not valid JSON. */
export const parseJson = (text: string): unknown => tryOr(() => JSON.parse(text), undefined);
