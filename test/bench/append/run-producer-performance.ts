import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import { clientSettings, renderProperties } from '../../../infra/local/kafka/kafka-properties.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { javaCommand } from '../../../infra/prerequisites.mjs';
import { benchKafka } from '../bench-kafka.ts';

/** Runs Kafka's own producer benchmark with acks=all; returns records per second. */
export async function runProducerPerformance(run: {
  readonly libraries: string;
  readonly kafka: KafkaAccess;
  readonly topic: string;
  readonly records: number;
  readonly bytes: number;
}): Promise<number> {
  // A file, because all users of the machine can see the arguments of a process.
  const directory = mkdtempSync(join(tmpdir(), 'annals-bench-'));
  const properties = join(directory, 'producer.properties');
  writeFileSync(properties, renderProperties(toProperties(run.kafka)));
  const child = await spawnChild({
    name: 'producer-performance',
    command: javaCommand(process.env['JAVA_HOME']),
    args: [
      '-Xmx256m',
      '-cp',
      join(run.libraries, '*'),
      'org.apache.kafka.tools.ProducerPerformance',
      ...['--topic', run.topic, '--num-records', `${run.records}`, '--throughput', '-1'],
      ...['--record-size', `${run.bytes}`, '--producer.config', properties],
    ],
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.resume();
  await child.exited;
  rmSync(directory, { recursive: true });
  // The last line is the summary; the earlier ones cover five seconds each.
  const perSecond = [...output.matchAll(/, ([\d.]+) records\/sec/g)].at(-1)?.[1];
  if (perSecond === undefined) throw new Error(`ProducerPerformance printed no rate:\n${output}`);
  return Math.round(Number(perSecond));
}

function toProperties(kafka: KafkaAccess): Readonly<Record<string, string>> {
  const account = benchKafka(kafka).security?.account;
  return {
    'bootstrap.servers': kafka.brokers,
    acks: 'all',
    ...(account === undefined ? {} : clientSettings(account)),
  };
}
