import type { Logger } from 'pino';
import {
  createKafkaConnection,
  type KafkaAddress,
  type KafkaConnection,
} from '../kafka/connection.ts';

/** Does the work with a connection of its own to the Kafka of an installation, and closes that. */
export async function withKafka<Result>(
  { kafka, log }: { readonly kafka: KafkaAddress; readonly log: Logger },
  work: (connection: KafkaConnection) => Promise<Result>,
): Promise<Result> {
  const connection = createKafkaConnection(kafka, log);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
