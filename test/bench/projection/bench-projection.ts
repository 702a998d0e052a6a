import { topicNames } from '../../../shared/kafka/topics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { fillContactsLog } from '../fill-contacts-log.ts';
import { median, rounded } from '../median.ts';
import { newTopicPrefix } from '../start-bench-product.ts';
import { startService } from '../start-service.ts';
import { copyReadModel } from './copy-read-model.ts';
import { measureProgress } from './measure-progress.ts';

const EVENTS = 200_000;
const PARTITIONS = 4;

/** The real projector over a topic that is full when it starts; beside COPY of the very rows that it wrote. */
export async function benchProjection(context: BenchContext): Promise<BenchFigures> {
  const { kafkaBrokers: brokers } = await context.infrastructure();
  const events = context.isQuick ? EVENTS / 20 : EVENTS;
  const prefix = newTopicPrefix();
  const topics = topicNames(prefix);
  await fillContactsLog(context, { brokers, topics, partitions: PARTITIONS, events });

  let projected: TestDatabase | undefined;
  const rounds = await alternate(context, {
    rounds: 3,
    async product(round) {
      projected = await createDatabase(context);
      const projector = await startService(context, 'projector', {
        KAFKA_BROKERS: brokers,
        DATABASE_URL: projected.url,
        ANNALS_TOPIC_PREFIX: prefix,
      });
      const perSecond = await measureProgress({
        databaseUrl: projected.url,
        topic: topics.records,
        // Of each partition the fence is an entry too.
        entries: events + PARTITIONS,
        requireRunning: projector.requireRunning,
      });
      await projector.stop();
      context.note(`projector ${round}: ${perSecond} events/s`);
      return perSecond;
    },
    async yardstick(round) {
      const seconds = projected === undefined ? 0 : await copyReadModel(projected.url);
      const perSecond = Math.round(events / seconds);
      context.note(`COPY ${round}: rows of ${perSecond} events/s`);
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
