import { randomBytes } from 'node:crypto';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';
import type { BenchContext } from './bench.ts';

/**
 * Starts the product under its real supervisor, on the run's Kafka and Postgres, with its own database and
 * topics. `root` is the folder of its sources, by default this one.
 */
export async function startBenchProduct(
  context: BenchContext,
  env: NodeJS.ProcessEnv = {},
  root?: string,
): Promise<StartedProduct> {
  const { kafka, databaseUrl } = await context.infrastructure();
  const database = await createTestDatabase(databaseUrl);
  context.opened(database.drop);
  context.report('starting the product');
  const product = await startProduct({
    infrastructure: 'own',
    ...(root === undefined ? {} : { root }),
    env: {
      ...toKafkaVariables(kafka),
      DATABASE_URL: database.url,
      ANNALS_TOPIC_PREFIX: newTopicPrefix(),
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  context.opened(product.remove);
  return product;
}

export function newTopicPrefix(): string {
  return `bench-${randomBytes(4).toString('hex')}`;
}
