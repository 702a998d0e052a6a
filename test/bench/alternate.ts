import type { BenchContext } from './bench.ts';

export interface Sides<Product, Yardstick> {
  /** The maximum number of rounds. There are fewer if the time of the bench runs out. */
  readonly rounds: number;
  readonly product: (round: number) => Promise<Product>;
  readonly yardstick: (round: number) => Promise<Yardstick>;
}

/** Runs product and yardstick in turns, so that temporary slowness of the machine affects both. */
export async function alternate<Product, Yardstick>(
  context: Pick<BenchContext, 'isQuick' | 'hasTimeFor'>,
  sides: Sides<Product, Yardstick>,
): Promise<{ readonly product: readonly Product[]; readonly yardstick: readonly Yardstick[] }> {
  const product: Product[] = [];
  const yardstick: Yardstick[] = [];
  let lastMs = 0;
  for (let round = 1; round <= (context.isQuick ? 1 : sides.rounds); round++) {
    if (round > 1 && !context.hasTimeFor(lastMs)) break;
    const startedAt = performance.now();
    product.push(await sides.product(round));
    yardstick.push(await sides.yardstick(round));
    lastMs = performance.now() - startedAt;
  }
  return { product, yardstick };
}
