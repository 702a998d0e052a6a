import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkOutToRun } from '../../support/harness/check-out.ts';
import type { StartedProduct } from '../../support/harness/product.ts';
import { makeTestDirectory } from '../../support/harness/test-infrastructure.ts';
import type { BenchContext } from '../bench.ts';
import { opening, unlimited } from '../delivery/deliver-backlog.ts';
import type { Receiver } from '../delivery/start-receiver.ts';
import { startBenchProduct } from '../start-bench-product.ts';

/** A running product: these sources, or those of another commit. */
export interface Version {
  /** `product`, or the commit. */
  readonly name: string;
  /** The folder of its sources. */
  readonly root: string;
  readonly product: StartedProduct;
}

const ownRoot = join(import.meta.dirname, '..', '..', '..');

/** Starts the product, and with `--against` also the product of the other commit, with the same packages. */
export async function startVersions(
  context: BenchContext,
  receiver: Receiver,
): Promise<readonly Version[]> {
  const env = { ...unlimited, ...opening(receiver) };
  const versions = [
    { name: 'product', root: ownRoot, product: await startBenchProduct(context, env) },
  ];
  if (context.against !== undefined) {
    const root = checkOutOther(context, context.against);
    const product = await startBenchProduct(context, env, root);
    versions.push({ name: context.against, root, product });
  }
  return versions;
}

function checkOutOther(context: BenchContext, commit: string): string {
  const place = makeTestDirectory();
  context.opened(async () => rmSync(place, { recursive: true, force: true }));
  const root = checkOutToRun(commit, place);
  if (root === undefined) throw new Error(`--against: this repository has no commit ${commit}`);
  return root;
}
