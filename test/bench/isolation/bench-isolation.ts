import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { medianOf, percentile, rounded } from '../median.ts';
import type { EndpointKind } from './endpoints.ts';
import { type LoadedDispatcher, startLoadedDispatcher } from './start-loaded-dispatcher.ts';

interface Round {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly faulty: number;
}

const ENDPOINTS = 100;
const faulty: readonly EndpointKind[] = [
  ...many('hanging', 4),
  ...many('dripping', 3),
  ...many('refusing', 3),
];

/**
 * Measures the latency from a change to healthy endpoints while a tenth of the endpoints hangs, drips or
 * refuses, compared with the same load on healthy endpoints alone, with a separate dispatcher.
 */
export async function benchIsolation(context: BenchContext): Promise<BenchFigures> {
  const among = await startLoadedDispatcher(context, [
    ...many('healthy', ENDPOINTS - faulty.length),
    ...faulty,
  ]);
  const alone = await startLoadedDispatcher(context, many('healthy', ENDPOINTS));
  context.report('the first load, which is not measured');
  const warmUp = { settleMs: 0, measuredMs: context.isQuick ? 500 : 4_000 };
  await among.measure(warmUp);
  await alone.measure(warmUp);
  const rounds = await alternate(context, {
    rounds: 3,
    product: (round) => measure(context, among, `a tenth faulty ${round}`),
    yardstick: (round) => measure(context, alone, `all healthy ${round}`),
  });
  const value = medianOf(rounds.product, ({ p95Ms }) => p95Ms, 1);
  const yardstick = medianOf(rounds.yardstick, ({ p95Ms }) => p95Ms, 1);
  return {
    value,
    unit: 'ms p95 of healthy endpoints while a tenth is faulty',
    yardstick,
    ratio: rounded(yardstick / value, 2),
    target: 'below 1.2 times that without faulty endpoints: ratio 0.83',
    p50Ms: medianOf(rounds.product, ({ p50Ms }) => p50Ms, 1),
    yardstickP50Ms: medianOf(rounds.yardstick, ({ p50Ms }) => p50Ms, 1),
    p99Ms: medianOf(rounds.product, ({ p99Ms }) => p99Ms, 1),
    yardstickP99Ms: medianOf(rounds.yardstick, ({ p99Ms }) => p99Ms, 1),
    deliveriesPerSecond: 1_000,
    endpoints: ENDPOINTS,
  };
}

async function measure(
  { isQuick, report }: BenchContext,
  dispatcher: LoadedDispatcher,
  name: string,
): Promise<Round> {
  const load = isQuick
    ? { settleMs: 500, measuredMs: 500 }
    : { settleMs: 1_000, measuredMs: 4_000 };
  const reception = await dispatcher.measure(load);
  const at = (share: number) => rounded(percentile(reception.healthyMs, share), 1);
  const round = { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), faulty: reception.faulty };
  report(`${name}: ${JSON.stringify(round)}`);
  return round;
}

function many(kind: EndpointKind, count: number): readonly EndpointKind[] {
  return Array.from({ length: count }, () => kind);
}
