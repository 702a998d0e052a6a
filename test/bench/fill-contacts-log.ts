import { pino } from 'pino';
import type { KafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import { ensureTopics, type TopicNames } from '../../shared/kafka/topics.ts';
import type { BenchContext } from './bench.ts';
import { benchKafka } from './bench-kafka.ts';
import { contactEvents } from './contact-events.ts';
import { fillLog } from './fill-log.ts';

interface ContactsLog {
  readonly kafka: KafkaAccess;
  readonly topics: TopicNames;
  readonly partitions: number;
}

/** Fills topics with this number of events of contacts, as if an api had written them. */
export async function fillContactsLog(
  { report }: BenchContext,
  log: ContactsLog & { readonly events: number },
): Promise<void> {
  const { kafka, topics, partitions, events } = log;
  await makeContactTopics(log);
  report(`appending ${events} events`);
  await fillLog({ kafka, topic: topics.records, partitions }, contactEvents(events));
}

export async function makeContactTopics(log: ContactsLog): Promise<void> {
  const address = benchKafka(log.kafka);
  const silent = pino({ level: 'silent' });
  await ensureTopics(address, log.topics, { recordPartitions: log.partitions }, silent);
}
