import { expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { checkPostgres } from '../../services/operations/doctor/check-postgres.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

it('doctor reports whether Postgres has the pg_trgm extension', async () => {
  const database = await createTestDatabase(inject('databaseUrl'));
  try {
    const [before, after] = await withClient(database.url, async (client) => {
      const without = await checkPostgres(client);
      await client.query('create extension pg_trgm');
      return [without, await checkPostgres(client)];
    });
    expect(before).toContainEqual({
      about: 'Postgres',
      verdict: 'warning',
      says: 'has no extension pg_trgm: searches in the middle of texts are slow',
      remedy: expect.stringMatching(
        /^create extension pg_trgm, [^;]+; then start a projector again/,
      ),
    });
    expect(after.map(({ says }) => says)).toContain('has the extension pg_trgm');
  } finally {
    await database.drop();
  }
});
