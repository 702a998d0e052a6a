import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { ensureTables } from '../../services/projector/tables/ensure-tables.ts';
import { ReadModelDamaged } from '../../shared/db/find-damage.ts';
import { columnName, liveTable, ownTableNames } from '../../shared/db/tables/read-model-names.ts';
import { buildEntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import type { FieldDefinition } from '../../shared/domain/field/field-types.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(async () => {
  await client.query('drop schema if exists annals cascade');
});

const stock = stockDefinitions.map(buildEntityModel);
const longField = `a${'B'.repeat(49)}`;
const oddFields: Readonly<Record<string, FieldDefinition>> = Object.fromEntries(
  [
    'ctid',
    'xmin',
    'xmax',
    'cmin',
    'cmax',
    'tableoid',
    'select',
    longField,
    `a${'B'.repeat(48)}C`,
  ].map((name) => [name, { type: 'varchar' }]),
);
const aType = (name: string) =>
  buildEntityModel({
    name,
    log: 'records',
    isObject: true,
    orderBy: 'createdAt',
    order: 'desc',
    textFilterFields: ['name', 'ctid', longField],
    fields: { name: { type: 'varchar' }, ...oddFields },
  });

const make = (models: readonly ReturnType<typeof aType>[]) =>
  ensureTables(client, { schema: 'annals', models, isIndexed: true });

async function relations(kinds: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'annals'::regnamespace and relkind = any($1) order by 1`,
    [[...kinds]],
  );
  return rows.map(({ name }) => name);
}

const indexesOfLeads = async () =>
  (await relations('i')).filter((name) => /^lead\b|^lead_created/.test(name));

it('tables of the read model avoid the names of entity types, and all other names contain $', async () => {
  await make([]);
  expect(await relations('r')).toEqual([...ownTableNames].sort());
  expect((await relations('iSvmcfp')).filter((name) => !name.includes('$'))).toEqual([]);
});

it('every entity type gets its own table, regardless of type and field names', async () => {
  const names = [
    ...[
      'LeadCreated',
      'ContactAccountId',
      'AccountPkey',
      'AccountNameFolded',
      'RecordHistoryCommand',
    ],
    ...['Positions', 'PositionsPkey', 'StreamMentions', 'RecordHistory', 'PgClass', 'Text', 'Int4'],
    ...['X'.repeat(60), 'X'.repeat(61), `X${'x'.repeat(62)}`, `X${'x'.repeat(63)}`],
  ];
  const models = [...stock, ...names.map(aType)];
  await make(models);
  await make(models);
  expect(await relations('r')).toHaveLength(models.length + ownTableNames.length);
  for (const name of names) {
    const values = Object.keys(oddFields).map((field) => `"${columnName(field)}"`);
    await client.query(
      `insert into ${liveTable(name)} (id, version, deleted, ${values.join(', ')})
       values ('1', 1, false, ${values.map((_, index) => `'${index}'`).join(', ')})`,
    );
  }
});

it('objects of earlier versions are renamed before a new entity type takes their names', async () => {
  await make([...stock, aType('Kept')]);
  const [before, statistics] = await Promise.all([indexesOfLeads(), statisticsOfLeads()]);
  expect(before).toContain('lead$created');
  // Named as before ADR 41.
  for (const name of before) await rename('index', name, name.replace('$', '_').replace('$', '_'));
  for (const name of statistics) await rename('statistics', name, name.replace('$', '_'));
  await rename('index', 'positions$pkey', 'positions_pkey');
  await rename('index', 'record_history$command', 'record_history_command');
  const snake = `a${'_b'.repeat(49)}`;
  const hash = createHash('sha256').update(snake).digest('hex').slice(0, 8);
  const former = `${snake.slice(0, 54)}_${hash}`;
  await client.query(
    `alter table annals.kept rename column "${columnName(longField)}" to "${former}"`,
  );
  await client.query(
    `insert into annals.kept (id, version, deleted, "${former}") values ('1', 1, false, 'is kept')`,
  );

  const added = ['LeadCreated', 'LeadPkey', 'PositionsPkey', 'RecordHistoryCommand'];
  await make([...stock, aType('Kept'), ...added.map(aType)]);

  expect(await indexesOfLeads()).toEqual(expect.arrayContaining([...before]));
  expect((await relations('i')).filter((name) => !/[$~]/.test(name))).toEqual([]);
  expect(await statisticsOfLeads()).toEqual(statistics);
  const kept = await client.query<{ value: string }>(
    `select "${columnName(longField)}" as value from annals.kept`,
  );
  expect(kept.rows).toEqual([{ value: 'is kept' }]);
});

it('indexes that an earlier version created afterwards are dropped', async () => {
  await make(stock);
  const before = await relations('i');
  await client.query('create index lead_created on annals.lead (created_at, id)');
  await make(stock);
  expect(await relations('i')).toEqual(before);
});

async function statisticsOfLeads(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select stxname as name from pg_statistic_ext where stxrelid = 'annals.lead'::regclass",
  );
  return rows.map(({ name }) => name);
}

async function rename(kind: 'index' | 'statistics', from: string, to: string): Promise<void> {
  await client.query(`alter ${kind} annals."${from}" rename to "${to}"`);
}

it.each(['positions', 'record_history', 'entity_counts', 'rejected_entries'])(
  '%s is not replaced by an empty table if it is dropped while tables are created',
  async (table) => {
    await make([]);
    // Dropped after the last query of the check for missing tables.
    const interrupted = new Proxy(client, {
      get: (target, name: keyof pg.Client) =>
        name !== 'query'
          ? target[name]
          : async (text: string, values?: unknown[]) => {
              const result = await target.query(text, values);
              if (text.includes('distinct entity_type')) {
                await target.query(`drop table annals.${table}`);
              }
              return result;
            },
    });
    await ensureTables(interrupted, { schema: 'annals', models: [], isIndexed: true }).catch(
      () => undefined,
    );
    expect(await relations('r')).not.toContain(table);
    await expect(make([])).rejects.toThrow(ReadModelDamaged);
  },
);

it('a table dropped during the creation of tables does not make its type unfit', async () => {
  const lead = stock.filter(({ name }) => name === 'Lead');
  await make(lead);
  const query = client.query.bind(client);
  const dropping = async (...args: Parameters<typeof query>) => {
    if (String(args[0]).includes('from pg_indexes')) await query('drop table annals.lead');
    return query(...args);
  };
  const slow = Object.assign(Object.create(client), { query: dropping });
  const made = ensureTables(slow, { schema: 'annals', models: lead, isIndexed: true });
  await expect(made).rejects.toMatchObject({ code: '42P01' });
});
