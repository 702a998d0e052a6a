import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import {
  BUILD_LOCK,
  buildTextIndexes,
  interruptTextIndexes,
  MANY_RECORDS,
  sortTextIndexes,
} from '../../services/projector/tables/build-text-indexes.ts';
import { ensureTables } from '../../services/projector/tables/ensure-tables.ts';
import { keepTextIndexes } from '../../services/projector/tables/keep-text-indexes.ts';
import { createCommonTrigrams } from '../../services/query/lists/common-trigrams.ts';
import { searchedText } from '../../shared/db/sql/folded-text.ts';
import { searchedChannel } from '../../shared/db/tables/read-model-names.ts';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { compileConditions, noFilter } from '../../shared/search/list-filter.ts';
import { viewFor } from '../../shared/search/record-view.ts';
import { createBinder } from '../../shared/search/where/binder.ts';
import { projectorContext } from '../support/builders/projector-context.ts';
import { eventually } from '../support/eventually.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

/** More than are sorted in memory, and enough for pages that are counted from the end. */
const RECORDS = 30_000;
const models = createDirectory(stockDefinitions).entities();
const reader = buildActor(
  { id: 'reader', name: 'Reader', userName: 'reader', type: 'api', teamIds: ['few'] },
  [
    {
      entityType: 'Role',
      id: 'r',
      version: 1,
      deleted: false,
      values: { data: { Account: { read: 'team' }, Lead: { read: 'team' } } },
    },
  ],
);
let example: QueryExample;

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  example.addActor(reader);
  await example.createTables();
  // Many are created in the same second, many have the same name or none, some are deleted.
  await example.pool.query(`
    insert into annals.account (id, version, deleted, name, created_at, assigned_user_id, teams_ids)
    select lpad(to_hex(n * 7919 % 1000003), 17, '0'), 1, n % 100 = 0,
      case when n % 10 = 1 then null else case n % 3 when 0 then 'NAME ' else 'Name ' end || n % 5000 end,
      timestamp '2030-01-01' + n / 7 * interval '1 second',
      'user' || n % 3, case when n % 1000 = 7 then array['few'] else '{}' end
    from generate_series(1, ${RECORDS}) n`);
  await example.pool.query(`
    insert into annals.lead (id, version, deleted, name, created_at, assigned_user_id, teams_ids)
    select lpad(to_hex(n), 17, '0'), 1, false, 'Lead ' || n,
      timestamp '2030-01-01' + n * interval '1 second', 'reader', '{}'
    from generate_series(1, ${RECORDS}) n`);
  // Sorted by name or by time, 12,000 others are before the first Zoe.
  await example.pool.query(`
    insert into annals.task (id, version, deleted, name, created_at)
    select lpad(to_hex(n), 17, '0'), 1, false, case when n > 22000 then 'Early ' else 'Zoe ' end || n,
      timestamp '2030-01-01' + n * interval '1 second'
    from generate_series(1, 34000) n`);
  await example.pool.query(`
    insert into annals.entity_counts
    select 'Account', 0, count(*) from annals.account where not deleted
    union all select 'Lead', 0, ${RECORDS}`);
  await example.pool.query('analyze annals.account, annals.task');
});
afterAll(async () => example.close());

/** Returns the same page as a slice of the whole list. */
async function plainPage(
  table: 'account' | 'lead' | 'task',
  { where = 'true', order, offset }: { readonly where?: string; order: string; offset: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const { rows } = await example.pool.query<{ id: string }>(
    `select id from annals.${table} t where not deleted and ${where} order by ${order}`,
  );
  return { ids: rows.slice(offset, offset + 20).map(({ id }) => id), total: rows.length };
}

async function readPage(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { status, text, body } = await example.get(path, headers);
  expect(status, text).toBe(200);
  const list: readonly { readonly id: string }[] = body.list;
  return { ids: list.map(({ id }) => id), total: body.total };
}

const orders = [
  ['', 'created_at desc, id desc'],
  ['&orderBy=createdAt', 'created_at, id'],
  ['&orderBy=name', 'lower(name) nulls first, id'],
  ['&orderBy=name&order=desc', 'lower(name) desc nulls last, id desc'],
  ['&orderBy=id&order=desc', 'id desc'],
  ['&orderBy=type', 'type nulls first, id'],
] as const;
const offsets = [20, 9_990, 10_000, 14_850, 14_851, 20_000, 29_670, 29_690, 29_700, 31_000];

describe('a page far from the start', () => {
  it.each(orders)('equals the same slice of the whole list: %s', async (query, order) => {
    for (const offset of offsets) {
      const expected = await plainPage('account', { order, offset });
      const path = `/Account?maxSize=20&select=id&offset=${offset}${query}`;
      expect(await readPage(path), path).toEqual(expected);
      const total = offset + 20 < expected.total ? -1 : -2;
      const withoutTotal = await readPage(path, { 'x-no-total': 'true' });
      expect(withoutTotal, path).toEqual({ ...expected, total });
    }
  });

  it('stays correct while records are created and deleted', async () => {
    const order = 'created_at desc, id desc';
    await example.store('Account', { id: 'oldest', createdAt: '2001-01-01 00:00:00' });
    await example.store('Account', { id: 'newest', createdAt: '2099-01-01 00:00:00' });
    for (const offset of [10_000, 29_690, 29_701]) {
      const expected = await plainPage('account', { order, offset });
      const found = await readPage(`/Account?maxSize=20&select=id&offset=${offset}`);
      expect(found).toEqual(expected);
    }
  });
});

describe('a list of matching records', () => {
  const headers = { 'x-actor': reader.id };

  it.each([
    ['a few of the reader’s team', '/Account?', 'account', "teams_ids && array['few']"],
    [
      'a few that match a text',
      '/Account?textFilter=name+4999',
      'account',
      "name ilike 'name 4999%'",
    ],
    ['nothing', '/Account?textFilter=nobody', 'account', 'false'],
    ['many at the end of the list', '/Task?textFilter=zoe', 'task', "name like 'Zoe %'"],
    ['nearly all', '/Account?textFilter=name', 'account', "name ilike 'name%'"],
    [
      'a few by the middle of their names',
      '/Account?textFilter=*me+499*',
      'account',
      "name ilike '%me 499%'",
    ],
    [
      'nearly all by the middle of their names',
      '/Account?textFilter=*me*',
      'account',
      "name ilike '%me%'",
    ],
    ['all that belong to the reader', '/Lead?', 'lead', 'true'],
    ['many that belong to the reader', '/Lead?textFilter=lead+1', 'lead', "name like 'Lead 1%'"],
  ] as const)(
    'has the pages and the total of the whole list: %s',
    async (_title, path, table, own) => {
      const isReaders = path.endsWith('?') || table === 'lead';
      const asking = isReaders ? headers : {};
      for (const [query, order] of orders.slice(0, 4)) {
        for (const offset of [0, 20, 5_000, 25_000]) {
          const expected = await plainPage(table, { where: own, order, offset });
          const asked = `${path}&maxSize=20&select=id&offset=${offset}${query}`;
          expect(await readPage(asked, asking), asked).toEqual(expected);
          const total = offset + 20 < expected.total ? -1 : -2;
          const withoutTotal = await readPage(asked, { ...asking, 'x-no-total': 'true' });
          expect(withoutTotal, asked).toEqual({ ...expected, total });
        }
      }
    },
  );

  it('is planned once for readers of few and of many records', async () => {
    example.addActor({ ...reader, id: 'user1' });
    example.takePrepared();
    const path = '/Lead?maxSize=20&select=id&where[0][type]=isNotNull&where[0][attribute]=name';
    const order = 'created_at desc, id desc';
    const all = await plainPage('lead', { order, offset: 0 });
    // Postgres makes five plans for specific values before it compares them with a generic plan.
    for (let time = 0; time < 8; time += 1) {
      expect(await readPage(path, { 'x-actor': 'user1' })).toEqual({ ids: [], total: 0 });
      expect(await readPage(path, headers)).toEqual(all);
    }
    const names = example.takePrepared();
    expect(names).toHaveLength(16);
    expect(new Set(names).size).toBe(1);
  });

  it('is planned separately for each text, and for users who may read everything', async () => {
    example.takePrepared();
    await readPage('/Account?textFilter=name+4999', headers);
    await readPage('/Account?where[0][type]=isNull&where[0][attribute]=name');
    expect(example.takePrepared()).toEqual([]);
  });
});

describe('indexes for searches in the middle of texts', () => {
  const url = () => String(example.pool.options.connectionString);
  const everything = new Set(models.map(({ name }) => name));
  const build = (searched: ReadonlySet<string> = everything) =>
    withClient(url(), (client) => buildTextIndexes(client, models, searched));
  const tablesIndexed = async () => (await indexes()).map(({ name }) => name.split('$inside_')[0]);
  const indexes = async () => {
    const { rows } = await example.pool.query<{ name: string; valid: boolean; id: number }>(
      `select c.relname as name, i.indisvalid as valid, c.oid::int as id
       from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relname like '%$inside\\_%' order by 1`,
    );
    return rows;
  };

  it('do not block adding a column to a table', async () => {
    await withClient(url(), async (building) => {
      await building.query('select pg_advisory_lock($1)', [BUILD_LOCK]);
      const outcome = building.query('select pg_sleep(60)').catch((error: unknown) => error);
      await eventually(async () => {
        await withClient(url(), interruptTextIndexes);
        const nothing = new Promise((resolve) => setTimeout(resolve, 100));
        expect(await Promise.race([outcome, nothing])).toMatchObject({ code: '57014' });
      });
    });
  });

  it('do not block readers or unrelated preparations during their build', async () => {
    const wanted = { schema: 'annals', models, isIndexed: true };
    await withClient(url(), (projector) => ensureTables(projector, wanted));
    await withClient(url(), async (reader) => {
      await reader.query('begin isolation level repeatable read');
      await reader.query('select count(*) from annals.lead');
      // The build waits for this reader, as it would take minutes with millions of records.
      const built = build(new Set(['Lead']));
      await eventually(async () =>
        expect((await indexes()).map(({ valid }) => valid)).toEqual([false]),
      );
      await withClient(url(), async (projector) => {
        await projector.query("set lock_timeout = '1s'");
        await ensureTables(projector, wanted);
      });
      await reader.query('commit');
      expect(await built).toEqual(['Lead']);
    });
    const [lead] = await indexes();
    await example.pool.query(`drop index annals."${lead?.name}"`);
  });

  it('are built and kept for types with many records or with searches', async () => {
    expect(await build(new Set())).toEqual([]);
    const count = (live: number) =>
      example.pool.query("update annals.entity_counts set live = $1 where entity_type = 'Lead'", [
        live,
      ]);
    await count(MANY_RECORDS);
    expect(await build(new Set())).toEqual(['Lead']);
    await count(RECORDS);
    expect(await build(new Set(['Case']))).toEqual(expect.arrayContaining(['Lead', 'Case']));
    expect(await build(new Set())).toHaveLength(2);
    expect(await tablesIndexed()).toEqual(['case', 'lead']);
  });

  it('are built as soon as a user searches and again after a rebuild', async () => {
    const contact = models.find(({ name }) => name === 'Contact');
    if (contact === undefined) throw new Error('the stock type Contact is missing');
    // An announcement during a check is only noticed by the next check, 15 s later.
    const patience = { timeoutMs: 40_000 };
    const bugs: unknown[] = [];
    const keeper = keepTextIndexes(
      projectorContext({
        kafka: { brokers: ['127.0.0.1:1'], clientId: 'unused' },
        topics: topicNames('unused'),
        databaseUrl: url(),
        crash: (error) => bugs.push(error),
      }),
    );
    try {
      await eventually(async () => {
        createCommonTrigrams({ of: () => example.pool })(contact);
        await sleep(200);
        expect(await tablesIndexed()).toContain('contact');
      }, patience);
      const [first] = (await indexes()).filter(({ name }) => name.startsWith('contact'));
      await example.pool.query(`drop index annals."${first?.name}"`);
      // Otherwise the next check usually comes later.
      await example.pool.query('select pg_notify($1, $2)', [searchedChannel, 'Opportunity']);
      await eventually(async () => expect(await tablesIndexed()).toContain('contact'), patience);
      expect(bugs).toEqual([]);
    } finally {
      await keeper.close();
    }
  });

  it('are built once, rebuilt after an interruption and used by queries', async () => {
    const before = await readPage('/Account?textFilter=*me+499*&orderBy=id&select=id');
    expect(await build()).toContain('Account');
    const built = await indexes();
    expect(built.map(({ name }) => name.replace(/\$inside_.*/, ''))).toContain('account');
    expect(built.every(({ valid }) => valid)).toBe(true);
    await build();
    expect(await indexes()).toEqual(built);

    const [first] = built;
    await example.pool.query('update pg_index set indisvalid = false where indexrelid = $1', [
      first?.id,
    ]);
    await build();
    const mended = await indexes();
    expect(mended.map(({ name }) => name)).toEqual(built.map(({ name }) => name));
    expect(mended[0]?.valid).toBe(true);
    expect(mended[0]?.id).not.toBe(first?.id);

    await example.pool.query('analyze annals.account, annals.task');
    const account = models.find(({ name }) => name === 'Account');
    const text = account && searchedText(account, 't.');
    const { rows } = await example.pool.query(
      `explain select id from annals.account t where not t.deleted and ${text} like '%me 499%'`,
    );
    expect(JSON.stringify(rows)).toContain('account$inside_');
    expect(await readPage('/Account?textFilter=*me+499*&orderBy=id&select=id')).toEqual(before);
  });

  it('are queried by the rare parts of a text once the frequencies are known', async () => {
    const search = () => readPage('/Account?textFilter=*ame+499*&orderBy=id&select=id');
    const before = await search();
    expect(before.total).toBeGreaterThan(0);
    await build();
    const account = models.find(({ name }) => name === 'Account');
    if (account === undefined) throw new Error('the stock type Account is missing');
    const findCommonTrigrams = createCommonTrigrams({ of: () => example.pool });
    await eventually(async () => expect(findCommonTrigrams(account)).toContain('nam'));
    expect(findCommonTrigrams(account)).not.toContain('499');
    const findModel = (name: string) => models.find((model) => model.name === name);
    const view = viewFor(reader, account, findModel);
    const binder = createBinder();
    const filter = { ...noFilter, text: '*ame 499*' };
    const asked = {
      actor: reader,
      model: account,
      view,
      findModel,
      binder,
      findCommonTrigrams,
      wordIndexes: undefined,
    };
    const { all, anyOf = [] } = compileConditions(filter, asked);
    expect(binder.values).toEqual(expect.arrayContaining(['%499%', '%ame 499%']));
    const { rows } = await example.pool.query<{ total: number }>(
      `select count(*)::int as total from annals.account t
       where not t.deleted and ${all} and (${anyOf.map(({ indexed }) => indexed).join(' or ')})`,
      [...binder.values],
    );
    expect(rows).toEqual([{ total: before.total }]);
  });

  it('are merged with new entries', async () => {
    await build();
    await withClient(url(), async (client) => {
      await client.query('begin');
      await client.query(
        "insert into annals.account (id, version, deleted, name) values ('new', 1, false, 'New')",
      );
      // Its entries remain in the index until they are cleaned up.
      await client.query('rollback');
      await sortTextIndexes(
        client,
        models.filter(({ name }) => name === 'Account'),
      );
      const { rows } = await client.query(
        `select gin_clean_pending_list(oid) as pages from pg_class where relname like 'account$inside\\_%'`,
      );
      expect(rows).toEqual([{ pages: '0' }]);
    });
  });
});

describe('tables that get new columns', () => {
  it('are locked one at a time and lose unused indexes', async () => {
    const wanted = { schema: 'annals', models, isIndexed: true };
    const url = String(example.pool.options.connectionString);
    // As an earlier version created them.
    for (const table of ['account', 'lead'])
      await example.pool.query(`
        alter table annals.${table} drop column "name$folded" cascade;
        create index ${table}_name_text on annals.${table} (lower(name) text_pattern_ops)`);
    await withClient(url, async (reader) => {
      await reader.query('begin');
      // A reader of leads that reads accounts next.
      await reader.query('select count(*) from annals.lead');
      await withClient(url, async (projector) => {
        const done = ensureTables(projector, wanted);
        await eventually(async () => {
          const { rows } = await example.pool.query(
            "select 1 from pg_locks where relation = 'annals.lead'::regclass and not granted",
          );
          expect(rows).toHaveLength(1);
        });
        await reader.query('select name from annals.account limit 1');
        await reader.query('commit');
        await done;
      });
    });
    const { rows } = await example.pool.query(
      "select indexname from pg_indexes where schemaname = 'annals' and indexname like '%\\_text'",
    );
    expect(rows).toEqual([]);
    const sorted = { order: 'lower(name) nulls first, id', offset: 20 };
    expect(await readPage('/Account?maxSize=20&select=id&offset=20&orderBy=name')).toEqual(
      await plainPage('account', sorted),
    );
  });
});
