import { expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { checkPostgres } from '../../services/system/doctor/check-postgres.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

it('doctor reports whether Postgres has the pg_trgm extension', async () => {
  const database = await createTestDatabase(inject('databaseUrl'));
  try {
    const [before, after] = await withClient(database.url, async (client) => {
      const without = await checkPostgres(client);
      await client.query('create extension pg_trgm');
      return [without, await checkPostgres(client)];
    });
    const lack: unknown = expect.objectContaining({
      about: 'Postgres',
      verdict: 'warning',
      says: 'Postgres lacks the extension pg_trgm: searches for text in the middle of a value are slow.',
      remedy: expect.stringMatching(
        /^run create extension pg_trgm [^;]+; then restart a projector/,
      ),
    });
    expect(before).toContainEqual(lack);
    expect(after.map(({ says }) => says)).toContain('Postgres has the extension pg_trgm.');
  } finally {
    await database.drop();
  }
});
