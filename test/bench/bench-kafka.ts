import {
  type KafkaAccess,
  toKafkaAddress,
  toKafkaVariables,
} from '../../infra/local/kafka/kafka-access.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';

/** If the environment names a Kafka with TLS, benches connect like the services. */
export function benchKafka(access: KafkaAccess): KafkaAddress {
  const address = toKafkaAddress(access, 'annals-bench');
  const read = readEnv({ ...process.env, ...toKafkaVariables(access) });
  const security = readKafkaSecurity(read, address.brokers);
  read.done();
  return { ...address, security };
}

/** For a service that gets no other variables of this process. */
export function tlsVariables(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => /^KAFKA_TLS/.test(name));
  return Object.fromEntries(own);
}
