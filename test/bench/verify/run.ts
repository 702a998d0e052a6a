// npm run verify: measures `annals rebuild`, then `annals verify`, of a log with MEASURE_RECORDS (1000000) Contacts:
// seconds, processor seconds of the command without Postgres, and its peak memory.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import { createTestDatabase } from '../../support/harness/test-database.ts';
import { startTestInfrastructure } from '../../support/harness/test-infrastructure.ts';
import { newContactEvents } from '../contact-events.ts';
import { makeContactTopics } from '../fill-contacts-log.ts';
import { fillLog } from '../fill-log.ts';
import { newTopicPrefix } from '../start-bench-product.ts';

const records = Number(process.env['MEASURE_RECORDS'] || 1_000_000);
const cli = join(import.meta.dirname, '..', '..', '..', 'infra', 'cli', 'main.ts');
const PARTITIONS = 4;

async function main(): Promise<void> {
  const { kafka, databaseUrl, stop } = await startTestInfrastructure(process.env);
  try {
    const database = await createTestDatabase(databaseUrl);
    const prefix = newTopicPrefix();
    const log = { kafka, topics: topicNames(prefix), partitions: PARTITIONS };
    await makeContactTopics(log);
    await fillLog({ ...log, topic: log.topics.records }, newContactEvents(records));
    const env = {
      ...process.env,
      ...toKafkaVariables(kafka),
      DATABASE_URL: database.url,
      ANNALS_TOPIC_PREFIX: prefix,
    };
    await measure(['rebuild'], env);
    await measure(['verify'], env);
    await measure(['verify', '--sample', '5'], env);
    await database.drop();
  } finally {
    await stop();
  }
}

async function measure(line: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, ...line, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  let [peak, processor] = [0, 0];
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child));
    processor = Math.max(processor, processorOf(child));
  }, 50);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `${line.join(' ')}: ${seconds} s, ${processor} s of processor time, ${peak} MB at most; ${output.slice(0, 200)}\n`,
  );
}

/** Returns the peak memory so far in MB. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Math.round(Number(found?.[1] ?? 0) / 1024);
  } catch {
    // The process has exited.
    return 0;
  }
}

const TICKS_A_SECOND = 100;

/** Returns the processor seconds so far. */
function processorOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

await main();
