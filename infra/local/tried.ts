/** What a look finds, or this where it fails: what is looked at may be gone, damaged, or another user's. */
export function tried<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
