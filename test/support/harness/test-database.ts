import { randomBytes } from 'node:crypto';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database for a test file, on the server of the given URL. */
export async function createTestDatabase(databaseUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withClient(databaseUrl, async (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      const statement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
      await withClient(databaseUrl, async (client) => client.query(statement));
    },
  };
}
