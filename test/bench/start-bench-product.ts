import { randomBytes } from 'node:crypto';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { createTestDatabase } from '../support/test-database.ts';
import type { BenchContext } from './bench.ts';

/** The product under its real supervisor, on the run's Kafka and Postgres, with a database and topics of its own. */
export async function startBenchProduct(
  context: BenchContext,
  env: NodeJS.ProcessEnv = {},
): Promise<StartedProduct> {
  const { kafkaBrokers, databaseUrl } = await context.infrastructure();
  const database = await createTestDatabase(databaseUrl);
  context.note('starting the product');
  const product = await startProduct({
    infrastructure: 'own',
    env: {
      KAFKA_BROKERS: kafkaBrokers,
      DATABASE_URL: database.url,
      ANNALS_TOPIC_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  return {
    ...product,
    async remove() {
      await product.remove();
      await database.drop();
    },
  };
}
