import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/harness/test-database.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { fillContactsLog, makeContactTopics } from '../fill-contacts-log.ts';
import { median, rounded } from '../median.ts';
import { newTopicPrefix } from '../start-bench-product.ts';
import { startService } from '../start-service.ts';
import { copyReadModel } from './copy-read-model.ts';
import { measureProgress, untilReadModel } from './measure-progress.ts';

const EVENTS = 200_000;
const PARTITIONS = 4;
const ROUNDS = 3;

/**
 * Measures the real projector over a topic that is full when it starts, compared with COPY of the rows that
 * it wrote.
 */
export async function benchProjection(context: BenchContext): Promise<BenchFigures> {
  const { kafka } = await context.infrastructure();
  const events = context.isQuick ? EVENTS / 4 : EVENTS;
  const prefix = newTopicPrefix();
  const topics = topicNames(prefix);
  const log = { kafka, topics, partitions: PARTITIONS, events };
  await makeContactTopics(log);
  const startProjector = (database: TestDatabase) =>
    startService(context, 'projector', {
      ...toKafkaVariables(kafka),
      DATABASE_URL: database.url,
      ANNALS_TOPIC_PREFIX: prefix,
    });
  // On an empty database a projector would begin with a rebuild, so the read model of an empty log is created
  // first.
  const databases = Array.from({ length: context.isQuick ? 1 : ROUNDS }, () =>
    createDatabase(context),
  );
  for (const database of await Promise.all(databases)) {
    const projector = await startProjector(database);
    await untilReadModel(database.url, projector.requireRunning);
    await projector.stop();
  }
  await fillContactsLog(context, log);

  let projected: TestDatabase | undefined;
  const rounds = await alternate(context, {
    rounds: ROUNDS,
    async product(round) {
      projected = await databases[round - 1];
      if (projected === undefined) throw new Error(`the database for round ${round} is missing`);
      const projector = await startProjector(projected);
      const perSecond = await measureProgress({
        databaseUrl: projected.url,
        topic: topics.records,
        // The fence of each partition is an entry, too.
        entries: events + PARTITIONS,
        requireRunning: projector.requireRunning,
      });
      await projector.stop();
      context.report(`projector ${round}: ${perSecond} events/s`);
      return perSecond;
    },
    async yardstick(round) {
      const seconds = projected === undefined ? 0 : await copyReadModel(projected.url);
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
    target: '25,000 events/s',
    events,
  };
}

async function createDatabase(context: BenchContext): Promise<TestDatabase> {
  const { databaseUrl } = await context.infrastructure();
  const database = await createTestDatabase(databaseUrl);
  context.opened(database.drop);
  return database;
}
