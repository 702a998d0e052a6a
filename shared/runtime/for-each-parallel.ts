/**
 * Works on all of them in their order, `max` at the same time. Where one fails nothing more is begun, and the first error
 * is thrown once nothing is under way any more: who hears of it can tell what was done.
 */
export async function forEachParallel<One>(
  ones: readonly One[],
  max: number,
  work: (one: One) => Promise<void>,
): Promise<void> {
  const left = ones.values();
  const errors: unknown[] = [];
  const workOn = async () => {
    for (const one of left) {
      if (errors.length > 0) return;
      await work(one).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: max }, workOn));
  if (errors.length > 0) throw errors[0];
}
