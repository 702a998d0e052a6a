import type { Pool, QueryConfig } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findDuplicateIds } from '../../services/command/import/find-duplicate-ids.ts';
import { findDuplicates } from '../../services/command/records/input/find-duplicates.ts';
import { buildActor } from '../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

const admin = buildActor(
  { id: 'admin', name: 'Admin', userName: 'admin', type: 'admin', teamIds: [] },
  [],
);
const address = (emailAddress: string) => ({ emailAddress, lower: emailAddress, primary: true });
let example: QueryExample;
let model: EntityModel;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  const found = example.directory.entity('Account');
  if (found === undefined) throw new Error('the stock type Account is missing');
  model = found;
  await example.pool.query(`
    insert into annals.account (id, version, deleted, name, email_address, email_address_data, created_at)
    select 'a' || n, 1, false, 'Name ' || n, n || '@example.com',
      jsonb_build_array(jsonb_build_object('emailAddress', n || '@example.com', 'lower', n || '@example.com')),
      timestamp '2030-01-01' + n * interval '1 second'
    from generate_series(1, 5000) n`);
  await example.pool.query('analyze annals.account');
  // As in a table of five million records, where few matches are expected to come early.
  await example.pool.query(
    `update pg_class set reltuples = 5000000 where oid = 'annals.account'::regclass`,
  );
});
afterAll(async () => example.close());

/** Runs `search`, and returns the plans of its statements on the table of accounts. */
async function plansOf(search: (pool: Pool) => Promise<unknown>): Promise<readonly string[]> {
  const statements: Statement[] = [];
  const pool = {
    async query(statement: string | QueryConfig, values: unknown[]) {
      if (typeof statement !== 'string') return example.pool.query(statement);
      statements.push({ text: statement, values });
      return example.pool.query(statement, values);
    },
  };
  await search(pool as unknown as Pool);
  const plans = statements.map(async ({ text, values }) =>
    JSON.stringify((await example.pool.query(`explain ${text}`, values)).rows),
  );
  return Promise.all(plans);
}

it('searches a large table for duplicates of one record by the indexes of names and addresses', async () => {
  const values = { name: 'Name 4999', emailAddressData: [address('4998@example.com')] };
  let found: readonly { readonly id?: unknown }[] = [];
  const plans = await plansOf(async (pool) => {
    const { directory } = example;
    found = await findDuplicates({ pool, directory }, { actor: admin, model, values });
  });
  expect(found.map(({ id }) => id)).toEqual(['a4998', 'a4999']);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain('account$name_folded');
  expect(plans[0]).toContain('account$email_address_folded_others');
  expect(plans[0]).not.toContain('account$created');
});

it('searches a large table for duplicates of imported rows by the indexes of names and addresses', async () => {
  const rows = [
    { name: 'Name 4997', emailAddressData: [address('nobody@example.com')] },
    { name: 'New', emailAddressData: [address('4996@example.com')] },
    { name: 'New' },
  ];
  let found: readonly (string | undefined)[] = [];
  const plans = await plansOf(async (pool) => {
    found = await findDuplicateIds({ pool }, { actor: admin, model }, rows);
  });
  expect(found).toEqual(['a4997', 'a4996', undefined]);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain('account$name_folded');
  expect(plans[0]).toContain('account$email_address_folded_others');
  expect(plans[0]).not.toContain('account$created');
});
