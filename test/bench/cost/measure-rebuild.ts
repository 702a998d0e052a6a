import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import { createTestDatabase } from '../../support/harness/test-database.ts';
import type { BenchContext } from '../bench.ts';
import { fillContactsLog } from '../fill-contacts-log.ts';
import { cpuMsOfEndedChildren } from '../process-usage.ts';
import { newTopicPrefix } from '../start-bench-product.ts';
import { type Cost, type Infrastructure, measureCost, measureTurns } from './measure-turns.ts';
import type { Version } from './versions.ts';

const EVENTS = 200_000;
const PARTITIONS = 4;

/** Measures `annals rebuild` of the same log by each version, per event. */
export async function measureRebuild(
  context: BenchContext,
  infrastructure: Infrastructure,
  versions: readonly Version[],
): Promise<ReadonlyMap<string, Cost>> {
  const { kafka, databaseUrl } = await context.infrastructure();
  const prefix = newTopicPrefix();
  const events = context.isQuick ? EVENTS / 20 : EVENTS;
  const topics = topicNames(prefix);
  await fillContactsLog(context, { kafka, topics, partitions: PARTITIONS, events });
  return measureTurns(context, 'rebuild', versions, async ({ root }) => {
    const database = await createTestDatabase(databaseUrl);
    // The command is the only child of this process that exits meanwhile.
    const read = () => ({
      rebuild: cpuMsOfEndedChildren(process.pid),
      ...infrastructure.readProcessorTime(),
    });
    const cost = await measureCost(read, async () => {
      const cli = join(root, 'infra', 'cli', 'main.ts');
      const env = {
        ...process.env,
        ...toKafkaVariables(kafka),
        DATABASE_URL: database.url,
        ANNALS_TOPIC_PREFIX: prefix,
      };
      await promisify(execFile)(process.execPath, [cli, 'rebuild', '--json'], { env });
      return events;
    });
    await database.drop();
    return cost;
  });
}
