export interface Sides<Product, Yardstick> {
  readonly rounds: number;
  readonly product: (round: number) => Promise<Product>;
  readonly yardstick: (round: number) => Promise<Yardstick>;
}

/** Product and yardstick in turns, so that a machine that slows down for a while does so for both. */
export async function alternate<Product, Yardstick>(
  sides: Sides<Product, Yardstick>,
): Promise<{ readonly product: readonly Product[]; readonly yardstick: readonly Yardstick[] }> {
  const product: Product[] = [];
  const yardstick: Yardstick[] = [];
  for (let round = 0; round < sides.rounds; round++) {
    product.push(await sides.product(round));
    yardstick.push(await sides.yardstick(round));
  }
  return { product, yardstick };
}
