import { readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';

/** Where the environment names a Kafka with TLS or accounts, benches speak to it as the services do. */
export function benchKafka(brokers: string): KafkaAddress {
  const list = brokers.split(',');
  const read = readEnv(process.env);
  const security = readKafkaSecurity(read, list);
  read.done();
  return { brokers: list, security, clientId: 'annals-bench' };
}

/** For a service that gets no other variables of this process. */
export function kafkaVariables(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => /^KAFKA_(?:TLS|SASL)/.test(name));
  return Object.fromEntries(own);
}
