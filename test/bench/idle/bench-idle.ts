import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import { ensureTopics, topicNames } from '../../../shared/kafka/topics.ts';
import type { StartedProduct } from '../../support/harness/product.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { benchKafka } from '../bench-kafka.ts';
import { rounded } from '../median.ts';
import { processesBelow, readUsage } from '../process-usage.ts';
import { newTopicPrefix, startBenchProduct } from '../start-bench-product.ts';
import { startProgram } from '../start-program.ts';

export interface IdleServiceRequest {
  readonly kafka: KafkaAccess;
  readonly databaseUrl: string;
  readonly topic: string;
}

interface IdleProcess {
  readonly name: string;
  readonly pid: number;
}

interface IdleFigures {
  /** Percentage of a core, by process. */
  readonly percents: ReadonlyMap<string, number>;
  readonly memoryMb: ReadonlyMap<string, number>;
}

const SERVICES = 3;
const PARTITIONS = 4;
/** The longest rest that the time limit of a bench allows. */
const REST_MS = 20_000;
const MEASURED_MS = 18_000;

/**
 * Measures processor time and memory of all Node processes of a started product without requests, and at the same time
 * those of as many services that consist of common components.
 */
export async function benchIdle(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const services = await startIdleServices(context);
  const processes = [...processesOf(product), ...services];
  context.report('resting');
  await sleep(context.isQuick ? 500 : REST_MS);
  const { percents, memoryMb } = await measure(processes, context.isQuick ? 500 : MEASURED_MS);
  const isYardstick = (name: string) => services.some((service) => service.name === name);
  const names = processes.map(({ name }) => name);
  const ours = names.filter((name) => !isYardstick(name));
  const sum = (of: readonly string[]) =>
    rounded(
      of.reduce((total, name) => total + (percents.get(name) ?? 0), 0),
      2,
    );
  const most = (of: readonly string[]) =>
    Math.round(Math.max(...of.map((name) => memoryMb.get(name) ?? 0)));
  const [value, yardstick] = [sum(ours), sum(names.filter(isYardstick))];
  return {
    value,
    unit: '% of a core in all Node processes when idle',
    yardstick,
    ratio: rounded(yardstick / value, 2),
    target: 'below 5 % together, below 300 MB each',
    largestMb: most(ours),
    yardstickLargestMb: most(names.filter(isYardstick)),
    ...Object.fromEntries(ours.map((name) => [`${name}Percent`, percents.get(name) ?? 0])),
    ...Object.fromEntries(ours.map((name) => [`${name}Mb`, memoryMb.get(name) ?? 0])),
  };
}

async function startIdleServices(context: BenchContext): Promise<readonly IdleProcess[]> {
  const { kafka, databaseUrl } = await context.infrastructure();
  const topics = topicNames(newTopicPrefix());
  const address = benchKafka(kafka);
  const silent = pino({ level: 'silent' });
  await ensureTopics(address, topics, { recordPartitions: PARTITIONS }, silent);
  const starting = Array.from({ length: SERVICES }, async (_, index) => {
    const program = startProgram<IdleServiceRequest, number>(context, 'idle-service.ts');
    const pid = await program.send({ kafka, databaseUrl, topic: topics.records });
    return { name: `yardstick${index + 1}`, pid };
  });
  return Promise.all(starting);
}

function processesOf(product: StartedProduct): readonly IdleProcess[] {
  const services = Object.entries(product.access().processes);
  return processesBelow(product.supervisorPid, basename(process.execPath)).map((pid) => {
    const service = services.find(([, known]) => known === pid);
    return { name: service?.[0] ?? (pid === product.supervisorPid ? 'supervisor' : `${pid}`), pid };
  });
}

async function measure(processes: readonly IdleProcess[], forMs: number): Promise<IdleFigures> {
  const before = processes.map(({ pid }) => readUsage(pid).cpuMs);
  const begin = performance.now();
  await sleep(forMs);
  const elapsedMs = performance.now() - begin;
  const after = processes.map(({ pid }) => readUsage(pid));
  const entries = processes.map(({ name }, index) => {
    const cpuMs = (after[index]?.cpuMs ?? 0) - (before[index] ?? 0);
    return [name, rounded((100 * cpuMs) / elapsedMs, 2)] as const;
  });
  const memory = processes.map(
    ({ name }, index) => [name, Math.round(after[index]?.memoryMb ?? 0)] as const,
  );
  return { percents: new Map(entries), memoryMb: new Map(memory) };
}
