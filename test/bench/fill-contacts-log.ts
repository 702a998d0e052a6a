import { pino } from 'pino';
import { ensureTopics, type TopicNames } from '../../shared/kafka/topics.ts';
import type { BenchContext } from './bench.ts';
import { contactEvents } from './contact-events.ts';
import { fillLog } from './fill-log.ts';

/** Topics with so many events of contacts, as if an api had written them. */
export async function fillContactsLog(
  { note }: BenchContext,
  log: {
    readonly brokers: string;
    readonly topics: TopicNames;
    readonly partitions: number;
    readonly events: number;
  },
): Promise<void> {
  const { brokers, topics, partitions, events } = log;
  const address = { brokers: brokers.split(','), clientId: 'annals-bench' };
  const silent = pino({ level: 'silent' });
  await ensureTopics(address, topics, { recordPartitions: partitions }, silent);
  note(`appending ${events} events`);
  await fillLog({ brokers, topic: topics.records, partitions }, contactEvents(events));
}
