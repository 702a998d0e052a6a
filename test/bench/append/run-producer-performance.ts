import { join } from 'node:path';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { javaCommand } from '../../../infra/prerequisites.mjs';

/** Kafka's own measuring tool with acks=all; answers records per second. */
export async function runProducerPerformance(run: {
  readonly libraries: string;
  readonly brokers: string;
  readonly topic: string;
  readonly records: number;
  readonly bytes: number;
}): Promise<number> {
  const child = await spawnChild({
    name: 'producer-performance',
    command: javaCommand(process.env['JAVA_HOME']),
    args: [
      '-Xmx256m',
      '-cp',
      join(run.libraries, '*'),
      'org.apache.kafka.tools.ProducerPerformance',
      ...['--topic', run.topic, '--num-records', `${run.records}`, '--throughput', '-1'],
      ...['--record-size', `${run.bytes}`, '--producer-props'],
      ...[`bootstrap.servers=${run.brokers}`, 'acks=all'],
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
  // The last line is the summary; those before it are of five seconds each.
  const perSecond = [...output.matchAll(/, ([\d.]+) records\/sec/g)].at(-1)?.[1];
  if (perSecond === undefined) throw new Error(`ProducerPerformance printed no rate:\n${output}`);
  return Math.round(Number(perSecond));
}
