import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/harness/test-database.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { fillContactsLog } from '../fill-contacts-log.ts';
import { median, rounded } from '../median.ts';
import { copyReadModel } from '../projection/copy-read-model.ts';
import { newTopicPrefix } from '../start-bench-product.ts';

const EVENTS = Number(process.env['BENCH_REBUILD_EVENTS'] ?? 1_000_000);
const PARTITIONS = 4;
const cli = join(import.meta.dirname, '..', '..', '..', 'infra', 'cli', 'main.ts');

/**
 * Measures `annals rebuild` of a full log into an empty database, including the switch, compared with COPY of
 * the same rows.
 */
export async function benchRebuild(context: BenchContext): Promise<BenchFigures> {
  const { kafka, databaseUrl } = await context.infrastructure();
  const events = context.isQuick ? EVENTS / 20 : EVENTS;
  const prefix = newTopicPrefix();
  await fillContactsLog(context, {
    kafka,
    topics: topicNames(prefix),
    partitions: PARTITIONS,
    events,
  });
  let rebuilt: TestDatabase | undefined;
  const rounds = await alternate(context, {
    rounds: 3,
    async product(round) {
      rebuilt = await createTestDatabase(databaseUrl);
      context.opened(rebuilt.drop);
      const perSecond = await rebuild({
        ...toKafkaVariables(kafka),
        DATABASE_URL: rebuilt.url,
        ANNALS_TOPIC_PREFIX: prefix,
      });
      context.report(`rebuild ${round}: ${perSecond} events/s`);
      return perSecond;
    },
    async yardstick(round) {
      const seconds = rebuilt === undefined ? 0 : await copyReadModel(rebuilt.url);
      const perSecond = Math.round(events / seconds);
      context.report(`COPY ${round}: rows of ${perSecond} events/s`);
      return perSecond;
    },
  });
  const value = median(rounds.product);
  const yardstick = median(rounds.yardstick);
  return {
    value,
    unit: 'events/s',
    yardstick,
    ratio: rounded(value / yardstick, 2),
    target: '45,000 events/s, ratio 0.4',
    events,
  };
}

/** Returns events per second. */
async function rebuild(env: NodeJS.ProcessEnv): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'rebuild', '--json'], {
    env: { ...process.env, ...env },
  });
  const { perSecond }: { readonly perSecond: number } = JSON.parse(stdout);
  return perSecond;
}
