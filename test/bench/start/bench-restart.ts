import { setTimeout as sleep } from 'node:timers/promises';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import type { StartedProduct } from '../../support/harness/product.ts';
import { createTestDatabase } from '../../support/harness/test-database.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { fillContactsLog } from '../fill-contacts-log.ts';
import { medianOf, rounded } from '../median.ts';
import { readUsage } from '../process-usage.ts';
import { rebuild } from '../rebuild/bench-rebuild.ts';
import { newTopicPrefix, startBenchProduct } from '../start-bench-product.ts';

interface Restart {
  readonly seconds: number;
  readonly apiMb: number;
}

const EVENTS = Number(process.env['BENCH_RESTART_EVENTS'] ?? 1_000_000);
const PARTITIONS = 4;
/** After this time the api has finished the work of a start. */
const REST_MS = 3_000;

/** Measures a restart of the services with a long log and its read models, compared with a new installation. */
export async function benchRestart(context: BenchContext): Promise<BenchFigures> {
  const full = { product: await startOnFullLog(context, context.isQuick ? EVENTS / 20 : EVENTS) };
  const fresh = { product: await startBenchProduct(context) };
  context.isReady();
  const rounds = await alternate(context, {
    rounds: 5,
    product: (round) => restart(context, full, `full log ${round}`),
    yardstick: (round) => restart(context, fresh, `fresh ${round}`),
  });
  const seconds = (all: readonly Restart[]) => medianOf(all, (one) => one.seconds, 2);
  const apiMb = (all: readonly Restart[]) => medianOf(all, (one) => one.apiMb);
  const value = seconds(rounds.product);
  const yardstick = seconds(rounds.yardstick);
  return {
    value,
    unit: 's until all services are ready',
    yardstick,
    ratio: rounded(yardstick / value, 2),
    target: 'at most 1 s longer than a new installation, with the same memory',
    events: context.isQuick ? EVENTS / 20 : EVENTS,
    apiMb: apiMb(rounds.product),
    yardstickApiMb: apiMb(rounds.yardstick),
  };
}

async function startOnFullLog(context: BenchContext, events: number): Promise<StartedProduct> {
  const { kafka, databaseUrl } = await context.infrastructure();
  const prefix = newTopicPrefix();
  const topics = topicNames(prefix);
  await fillContactsLog(context, { kafka, topics, partitions: PARTITIONS, events });
  const database = await createTestDatabase(databaseUrl);
  context.opened(database.drop);
  const env = { DATABASE_URL: database.url, ANNALS_TOPIC_PREFIX: prefix };
  const perSecond = await rebuild({ ...toKafkaVariables(kafka), ...env });
  context.report(`rebuilt at ${perSecond} events/s`);
  return startBenchProduct(context, env);
}

async function restart(
  { report, opened }: BenchContext,
  side: { product: StartedProduct },
  name: string,
): Promise<Restart> {
  await side.product.stop();
  const startedAt = performance.now();
  const product = await side.product.startAgain();
  opened(product.stop);
  side.product = product;
  const seconds = rounded((performance.now() - startedAt) / 1000, 2);
  await sleep(REST_MS);
  const apiMb = Math.round(readUsage(product.access().processes['api'] ?? 0).memoryMb);
  report(`${name}: ${seconds} s, api ${apiMb} MB`);
  return { seconds, apiMb };
}
