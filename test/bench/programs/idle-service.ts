// The yardstick of `idle`: a service that consists of common components with their default settings.
import { fastify } from 'fastify';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { toKafkajsSecurity } from '../../../shared/kafka/kafka-security.ts';
import { benchKafka } from '../bench-kafka.ts';
import type { IdleServiceRequest } from '../idle/bench-idle.ts';
import { serveParent } from './serve-parent.ts';

// kafkajs sets timers with negative delays, and Node warns about each.
process.removeAllListeners('warning');

serveParent(async ({ kafka: access, databaseUrl, topic }: IdleServiceRequest): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('listen bench');
  const server = fastify();
  await server.listen({ host: '127.0.0.1', port: 0 });
  const clientId = `bench-${process.pid}`;
  const kafka = new Kafka({
    brokers: access.brokers.split(','),
    ...toKafkajsSecurity(benchKafka(access).security),
    clientId,
    logLevel: logLevel.NOTHING,
  });
  const producer = kafka.producer();
  await producer.connect();
  const consumer = kafka.consumer({ groupId: clientId });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic] });
  await consumer.run({ eachMessage: async () => {} });
  return process.pid;
});
