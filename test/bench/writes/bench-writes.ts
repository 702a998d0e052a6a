import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { contactBodies } from '../contact-bodies.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { startOutboxServer } from './start-outbox-server.ts';

/** Figures of one round, by number of clients. */
type Round = ReadonlyMap<number, LoadFigures>;

const CLIENTS = [1, 64, 256] as const;
const DISTINCT_BODIES = 1000;

/**
 * POST of a Contact that is validated, in Kafka, and readable in Postgres when answered; beside a service as one would
 * write it without Kafka, whose events leave through an outbox table.
 */
export async function benchWrites(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const yardstick = await startOutboxServer(context);
  const load = startProgram('load-generator.ts');
  try {
    const toProduct = toSpec(product.url, product.access().apiKey.apiKey);
    const toYardstick = toSpec(yardstick.url, 'any');
    for (const spec of [toProduct, toYardstick]) await warmUp(context, load, spec);
    const rounds = await alternate({
      rounds: context.isQuick ? 1 : 3,
      product: (round) => measure(context, load, { ...toProduct, name: `product ${round + 1}` }),
      yardstick: (round) => measure(context, load, { ...toYardstick, name: `outbox ${round + 1}` }),
    });
    return toFigures(rounds.product, rounds.yardstick);
  } finally {
    await load.stop();
    await yardstick.stop();
    await product.remove();
  }
}

type Target = Pick<LoadSpec, 'host' | 'port' | 'requests'>;

function toSpec(url: string, apiKey: string): Target {
  const { hostname, port } = new URL(url);
  const requests = contactBodies(DISTINCT_BODIES).map((body) =>
    toHttpRequest({ method: 'POST', path: '/api/v1/Contact', apiKey, body }),
  );
  return { host: hostname, port: Number(port), requests };
}

async function warmUp({ isQuick }: BenchContext, load: Program, target: Target): Promise<void> {
  const measuredMs = isQuick ? 500 : 3_000;
  await load.ask({ ...target, clients: 64, warmUpMs: 0, measuredMs });
}

async function measure(
  { isQuick, note }: BenchContext,
  load: Program,
  { name, ...target }: Target & { readonly name: string },
): Promise<Round> {
  const round = new Map<number, LoadFigures>();
  for (const clients of CLIENTS) {
    const fullMs = clients === 1 ? 1_000 : 2_500;
    const spec = { ...target, clients, warmUpMs: 200, measuredMs: isQuick ? 400 : fullMs };
    const figures = await load.ask<LoadFigures>(spec);
    note(`${name}, ${clients} clients: ${JSON.stringify(figures)}`);
    round.set(clients, figures);
  }
  return round;
}

function toFigures(product: readonly Round[], yardstick: readonly Round[]): BenchFigures {
  const at = (rounds: readonly Round[], clients: number) => ({
    perSecond: medianOf(rounds, (round) => round.get(clients)?.perSecond ?? 0),
    p50Ms: medianOf(rounds, (round) => round.get(clients)?.p50Ms ?? 0, 2),
    p99Ms: medianOf(rounds, (round) => round.get(clients)?.p99Ms ?? 0, 2),
  });
  const [one, some, many] = CLIENTS.map((clients) => ({
    ours: at(product, clients),
    theirs: at(yardstick, clients),
  }));
  if (one === undefined || some === undefined || many === undefined) throw new Error('no figures');
  return {
    value: some.ours.perSecond,
    unit: 'requests/s at 64 clients',
    yardstick: some.theirs.perSecond,
    ratio: rounded(some.ours.perSecond / some.theirs.perSecond, 2),
    target: 'ratio 1.5 at 64 and 3 at 256 clients, p50 of one client below 2 ms',
    p50Ms: some.ours.p50Ms,
    p99Ms: some.ours.p99Ms,
    yardstickP50Ms: some.theirs.p50Ms,
    value256: many.ours.perSecond,
    yardstick256: many.theirs.perSecond,
    ratio256: rounded(many.ours.perSecond / many.theirs.perSecond, 2),
    p50Ms256: many.ours.p50Ms,
    p99Ms256: many.ours.p99Ms,
    value1: one.ours.perSecond,
    yardstick1: one.theirs.perSecond,
    p50Ms1: one.ours.p50Ms,
    p99Ms1: one.ours.p99Ms,
  };
}
