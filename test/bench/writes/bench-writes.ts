import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { contactBodies } from '../contact-bodies.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { startOutboxServer } from './start-outbox-server.ts';

type Load = Program<LoadSpec, LoadFigures>;
type Target = Pick<LoadSpec, 'host' | 'port' | 'requests'>;
/** Figures of one round, by number of clients. */
type Round = ReadonlyMap<number, LoadFigures>;

const CLIENTS = [1, 64, 256] as const;
const DISTINCT_BODIES = 1000;

/**
 * Measures POST of a Contact that is validated, in Kafka, and readable in Postgres before the response,
 * compared with a typical service without Kafka, whose events leave through an outbox table.
 */
export async function benchWrites(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const toProduct = toTarget(product.url, product.access().apiKey.apiKey);
  const outbox = await startOutboxServer(context);
  const toYardstick = toTarget(outbox.url, 'any');
  const load: Load = startProgram(context, 'load-generator.ts');
  // Warms up the JIT compilers of broker and services, as in servers that have run for days.
  const warmUpMs = context.isQuick ? 300 : 8_000;
  await load.send({ ...toProduct, clients: 64, warmUpMs: 0, measuredMs: warmUpMs });
  await load.send({ ...toYardstick, clients: 64, warmUpMs: 0, measuredMs: warmUpMs / 4 });
  const rounds = await alternate(context, {
    rounds: 5,
    product: (round) => measure(context, load, { ...toProduct, name: `product ${round}` }),
    yardstick: (round) => measure(context, load, { ...toYardstick, name: `outbox ${round}` }),
  });
  return toFigures(rounds.product, rounds.yardstick);
}

function toTarget(url: string, apiKey: string): Target {
  const { hostname, port } = new URL(url);
  const requests = contactBodies(DISTINCT_BODIES).map((body) =>
    toHttpRequest({ method: 'POST', path: '/api/v1/Contact', apiKey, body }),
  );
  return { host: hostname, port: Number(port), requests };
}

async function measure(
  { isQuick, report }: BenchContext,
  load: Load,
  { name, ...target }: Target & { readonly name: string },
): Promise<Round> {
  const round = new Map<number, LoadFigures>();
  for (const clients of CLIENTS) {
    const fullMs = clients === 1 ? 1_000 : 2_000;
    const spec = { ...target, clients, warmUpMs: 200, measuredMs: isQuick ? 300 : fullMs };
    const figures = await load.send(spec);
    report(`${name}, ${clients} clients: ${JSON.stringify(figures)}`);
    round.set(clients, figures);
  }
  return round;
}

function toFigures(product: readonly Round[], yardstick: readonly Round[]): BenchFigures {
  const [one, some, many] = CLIENTS.map((clients) => ({
    ours: medianFigures(product, clients),
    theirs: medianFigures(yardstick, clients),
  }));
  if (one === undefined || some === undefined || many === undefined)
    throw new Error('figures are missing');
  return {
    value: some.ours.perSecond,
    unit: 'requests/s at 64 clients',
    yardstick: some.theirs.perSecond,
    ratio: rounded(some.ours.perSecond / some.theirs.perSecond, 2),
    target:
      'ratio 1.5 at 64 and 2.5 at 256 clients, p50 of one client below 2 ms and 1.5 of the yardstick',
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
    yardstickP50Ms1: one.theirs.p50Ms,
    ratioP50Of1: rounded(one.ours.p50Ms / one.theirs.p50Ms, 2),
    p99Ms1: one.ours.p99Ms,
  };
}

function medianFigures(rounds: readonly Round[], clients: number): LoadFigures {
  const figures = rounds.flatMap((round) => round.get(clients) ?? []);
  return {
    perSecond: medianOf(figures, ({ perSecond }) => perSecond),
    p50Ms: medianOf(figures, ({ p50Ms }) => p50Ms, 2),
    p95Ms: medianOf(figures, ({ p95Ms }) => p95Ms, 2),
    p99Ms: medianOf(figures, ({ p99Ms }) => p99Ms, 2),
  };
}
