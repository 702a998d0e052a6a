const TELL_AGAIN_AFTER_MS = 10_000;

/** Whether the reason of a wait is to be told: whenever it changes, and every ten seconds. */
export function createIsNews(): (reason: string) => boolean {
  let told: { readonly reason: string; readonly at: number } | undefined;
  return (reason) => {
    const at = Date.now();
    if (told?.reason === reason && at - told.at < TELL_AGAIN_AFTER_MS) return false;
    told = { reason, at };
    return true;
  };
}
