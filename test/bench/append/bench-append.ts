import { pino } from 'pino';
import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import { provideKafkaLibraries } from '../../../infra/local/kafka/provide-libraries.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { silentTerminal } from '../../../infra/local/terminal.ts';
import { ensureTopics, topicNames } from '../../../shared/kafka/topics.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { benchKafka } from '../bench-kafka.ts';
import { medianOf, rounded } from '../median.ts';
import { newTopicPrefix } from '../start-bench-product.ts';
import { startProgram } from '../start-program.ts';
import { runProducerPerformance } from './run-producer-performance.ts';

export interface AppendRequest {
  readonly kafka: KafkaAccess;
  readonly topic: string;
  readonly partitions: number;
  /** Concurrent submissions at any time. */
  readonly outstanding: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface AppendFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Mean size of an event in the log, including its key. */
  readonly bytes: number;
}

const PARTITIONS = 4;
const OUTSTANDING = 8_000;

/**
 * Measures events that the writers of all partitions acknowledge, compared with Kafka's own producer
 * benchmark. Both flush each append.
 */
export async function benchAppend(context: BenchContext): Promise<BenchFigures> {
  const { kafka } = await context.infrastructure();
  const [topic, yardstickTopic] = [await createTopic(kafka), await createTopic(kafka)];
  const writers = startProgram<AppendRequest, AppendFigures>(context, 'append-events.ts');
  const libraries = await provideKafkaLibraries({
    env: process.env,
    spawn: spawnChild,
    terminal: silentTerminal,
  });
  const measuredMs = context.isQuick ? 500 : 4_000;
  const request = { kafka, topic, partitions: PARTITIONS, outstanding: OUTSTANDING };
  const first = await writers.send({ ...request, warmUpMs: measuredMs, measuredMs: 300 });
  let records = Math.round((first.perSecond * measuredMs) / 1000);

  const rounds = await alternate(context, {
    rounds: 3,
    async product() {
      const figures = await writers.send({ ...request, warmUpMs: 200, measuredMs });
      context.report(`writers: ${JSON.stringify(figures)}`);
      return figures;
    },
    async yardstick() {
      const bytes = first.bytes;
      const at = { libraries, kafka, topic: yardstickTopic, records, bytes };
      const perSecond = await runProducerPerformance(at);
      context.report(`ProducerPerformance: ${perSecond}/s of ${bytes} bytes`);
      records = Math.round((perSecond * measuredMs) / 1000);
      return perSecond;
    },
  });
  const value = medianOf(rounds.product, ({ perSecond }) => perSecond);
  const yardstick = medianOf(rounds.yardstick, (perSecond) => perSecond);
  return {
    value,
    unit: 'events/s',
    yardstick,
    ratio: rounded(value / yardstick, 2),
    target: 'ratio 0.5',
    p50Ms: medianOf(rounds.product, ({ p50Ms }) => p50Ms, 1),
    p99Ms: medianOf(rounds.product, ({ p99Ms }) => p99Ms, 1),
    bytesPerEvent: first.bytes,
    outstanding: OUTSTANDING,
  };
}

async function createTopic(kafka: KafkaAccess): Promise<string> {
  const names = topicNames(newTopicPrefix());
  const address = benchKafka(kafka);
  await ensureTopics(address, names, { recordPartitions: PARTITIONS }, pino({ level: 'silent' }));
  return names.records;
}
