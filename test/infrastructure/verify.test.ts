import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type VerifyOptions, verifyReadModel } from '../../infra/cli/verify/verify-read-model.ts';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import { wholeTopics } from '../../shared/installation/whole-topics.ts';
import { withAdmin } from '../../shared/kafka/describe-topics.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../support/builders/record-event-builder.ts';
import { eventually } from '../support/eventually.ts';
import {
  createProjectorHarness,
  type ProjectorHarness,
} from '../support/harness/projector-harness.ts';

let harness: ProjectorHarness;
let database: string;

const created = aCreation('Account', { name: 'One', teamsIds: ['a'], scoreCust: 0.5 });
const updated = anUpdateAfter(created, { name: 'Two' });
const gone = aCreation('Contact', { lastName: 'Gone', accountId: created.recordId });

beforeEach(async () => {
  harness = await createProjectorHarness(inject('kafka'), inject('databaseUrl'));
  database = await harness.createDatabase();
  for (const script of [harness.directory, ...harness.records]) await script.fence();
  await harness.records[0]?.events(created, updated);
  await harness.records[1]?.events(gone, aDeletionAfter(gone));
  await harness.records[1]?.staleEvents(aCreation('Contact', { lastName: 'Stale' }));
  await harness.records[1]?.bytes(Buffer.from('poison'));
  harness.startProjector(database);
  await harness.untilProjected(database);
});

afterEach(async () => harness.close());

async function verify(entriesPerSlice?: number, options: VerifyOptions = {}) {
  const rebuild = harness.openRebuild(database);
  await rebuild.close();
  const installation = {
    kafka: {
      ...toKafkaAddress(inject('kafka'), 'verify-test'),
      whole: wholeTopics(harness.topics, () => undefined),
    },
    topics: harness.topics,
    connect: rebuild.connect,
    log: pino({ level: 'silent' }),
  };
  return verifyReadModel(installation, {
    ...(entriesPerSlice === undefined ? {} : { entriesPerSlice }),
    ...options,
  });
}

it('verify finds no difference in correct tables', async () => {
  expect(await verify()).toEqual({ differences: 0, list: [], events: 4, records: 2 });
});

it('verify finds the same differences in many slices', async () => {
  expect(await verify(2)).toEqual({ differences: 0, list: [], events: 4, records: 2 });
});

it.each([
  ["update annals.account set name = 'Other'", 'account', 'name'],
  ['update annals.account set version = 7', 'account', 'version'],
  ['update annals.account set teams_ids = null', 'account', 'teams_ids'],
  ['delete from annals.account', 'account', '*'],
  ["insert into annals.account (id, version, deleted) values ('x', 1, false)", 'account', '*'],
  ['delete from annals.record_history where version = 2', 'record_history', '*'],
  ['delete from annals.stream_mentions', 'stream_mentions', '*'],
  ["update annals.record_history set event = 'x' where version = 1", 'record_history', 'event'],
  ['update annals.entity_counts set live = live + 1', 'entity_counts', '*'],
  ["update annals.positions set token = 'other'", 'positions', '*'],
  ['delete from annals.rejected_entries', 'rejected_entries', '*'],
])('verify finds the difference caused by: %s', async (sql, table, column) => {
  await harness.query(database, sql);
  const { differences, list } = await verify();

  expect(differences).toBeGreaterThan(0);
  expect(list[0]).toMatchObject({ table, column });
});

it('verify compares the current and former files of posts and users', async () => {
  const post = aCreation('Note', { post: 'x', attachmentsIds: ['file'], usersIds: ['ann'] });
  await harness.records[0]?.events(post);
  await harness.directory.events(aCreation('User', { userName: 'ann', avatarId: 'picture' }));
  await harness.untilProjected(database);
  expect((await verify()).differences).toBe(0);

  const rows = await harness.query(
    database,
    "select record_id from annals.stream_mentions where entity_type in ('Note', 'User') order by 1",
  );
  expect(rows.map(({ record_id: id }) => id)).toEqual(['file', 'picture']);
  await harness.query(database, "delete from annals.stream_mentions where entity_type = 'User'");
  expect((await verify()).list).toMatchObject([{ table: 'stream_mentions', column: '*' }]);
});

it('verify lists every difference page by page', async () => {
  await harness.query(database, "update annals.account set name = 'Other'");
  await harness.query(database, "update annals.contact set last_name = 'Other'");
  const { differences, list } = await verify(1);

  expect(differences).toBe(2);
  expect(new Set(list.map(({ table }) => table))).toEqual(new Set(['account', 'contact']));
});

it('verify detects two swapped events in the history of a record', async () => {
  await harness.query(
    database,
    `update annals.record_history h set event = other.event from annals.record_history other
     where other.record_id = h.record_id and other.version = 3 - h.version`,
  );
  const { list } = await verify();
  expect(list.filter(({ column }) => column === 'event')).toHaveLength(4);
});

it('verify compares all records with a sample of 100 % and some with a smaller one', async () => {
  await harness.query(database, "update annals.account set name = 'Other'");
  expect((await verify(undefined, { samplePercent: 100 })).differences).toBe(1);
  const { records, list } = await verify(undefined, { samplePercent: 0.01 });
  // The sample is one bucket of 4096.
  expect(records).toBeLessThan(2);
  expect(list.length).toBeLessThan(2);
});

describe('verify with a quarantined record', () => {
  const refused = aCreation('Account', { name: 'Refused', teamsIds: ['b'] });

  beforeEach(async () => {
    await harness.query(
      database,
      `create function refuse() returns trigger language plpgsql as $$
       begin
         if new.name like 'Refused%' then
           raise exception 'refused' using errcode = '22003';
         end if;
         return new;
       end $$;
       create trigger refuse before insert or update on annals.account
         for each row execute function refuse();`,
    );
    const events = [refused, anUpdateAfter(updated, { name: 'Refused, too' })];
    await harness.records[0]?.events(...events, aCreation('Account', { name: 'Good' }));
    await harness.untilProjected(database);
  });

  it('reports the record and compares everything else', async () => {
    const { quarantined = [], ...compared } = await verify();
    expect(compared).toEqual({ differences: 0, list: [], events: 7, records: 4 });
    expect(new Set(quarantined.map(({ id }) => id))).toEqual(
      new Set([refused.recordId, created.recordId]),
    );
    expect(quarantined.map(({ entries }) => entries.length)).toEqual([1, 1]);
    await harness.query(database, "update annals.account set name = 'Other'");
    expect((await verify()).list).toMatchObject([{ table: 'account', column: 'name' }]);
  });

  it.each([
    ['delete from annals.rejected_entries where record_id is not null', 'account'],
    [
      `insert into annals.account (id, version, deleted) values ('${refused.recordId}', 1, false)`,
      'account',
    ],
    ['update annals.entity_counts set live = live + 1', 'entity_counts'],
    ["update annals.record_history set event = 'x' where version = 1", 'record_history'],
  ])('finds the difference caused by: %s', async (sql, table) => {
    await harness.query(database, sql);
    expect((await verify()).list.map((one) => one.table)).toContain(table);
  });
});

describe('verify with a removed entity type', () => {
  const boat = aCreation('Boat', { name: 'Bounty', accountId: created.recordId });
  const definition = aCreation(
    entityDefinitionType,
    { template: 'Base', fields: { name: { type: 'varchar' } } },
    { recordId: 'Boat' },
  );

  beforeEach(async () => {
    await harness.directory.events(definition);
    await harness.untilProjected(database);
    await harness.records[0]?.events(boat);
    await harness.untilProjected(database);
    await harness.directory.events(aDeletionAfter(definition));
    await harness.untilProjected(database);
  });

  it('ignores the remaining mentions of its records', async () => {
    const mentions = "select 1 from annals.stream_mentions where entity_type = 'Boat'";
    expect(await harness.query(database, mentions)).toHaveLength(1);
    expect(await verify()).toMatchObject({ differences: 0, list: [] });
    expect(await verify(undefined, { since: 0 })).toMatchObject({ differences: 0, list: [] });
  });

  it('still compares the mentions of other records', async () => {
    await harness.query(
      database,
      "update annals.stream_mentions set record_id = 'other' where entity_type = 'Contact'",
    );
    const { list } = await verify();
    expect(list.map(({ table }) => table)).toEqual(['stream_mentions', 'stream_mentions']);
  });
});

it('verify reports entity types whose definition Postgres rejects', async () => {
  const columns = Array.from({ length: 1_700 }, (_, n) => [`field${n}`, { type: 'varchar' }]);
  const fields = Object.fromEntries(columns);
  await harness.directory.events(
    aCreation(entityDefinitionType, { template: 'Base', fields }, { recordId: 'SpaceRocket' }),
  );
  await harness.untilProjected(database);
  expect(await verify()).toMatchObject({
    differences: 0,
    unfit: [{ entityType: 'SpaceRocket', reason: expect.stringContaining('1600 columns') }],
  });
});

describe('verify with a time', () => {
  let since: number;

  beforeEach(async () => {
    since = Date.now() + 1;
    await eventually(async () => expect(Date.now()).toBeGreaterThan(since));
    await harness.records[0]?.events(anUpdateAfter(updated, { name: 'Three' }));
    await harness.untilProjected(database);
  });

  it('compares the records that have changed since then', async () => {
    expect(await verify(undefined, { since })).toEqual({
      differences: 0,
      list: [],
      events: 1,
      records: 1,
    });
    expect(await verify(undefined, { since: 0 })).toMatchObject({
      differences: 0,
      events: 5,
      records: 2,
    });
    expect(await verify(undefined, { since: Date.now() + 60_000 })).toMatchObject({
      differences: 0,
      events: 0,
    });
  });

  it('continues after a fence from another writer', async () => {
    await harness.records[0]?.fence();
    await harness.records[0]?.events(aCreation('Contact', { lastName: 'Later' }));
    await harness.untilProjected(database);
    expect(await verify(undefined, { since })).toMatchObject({ differences: 0, events: 2 });
  });

  it.each([
    ["update annals.account set name = 'Other'", 'account', 'name'],
    ['delete from annals.account', 'account', '*'],
    ['delete from annals.record_history where version = 3', 'record_history', '*'],
    ["update annals.positions set token = 'other'", 'positions', '*'],
  ])('finds the difference caused by: %s', async (sql, table, column) => {
    await harness.query(database, sql);
    expect((await verify(undefined, { since })).list[0]).toMatchObject({ table, column });
  });

  it('ignores records that have not changed since then', async () => {
    await harness.query(database, "update annals.contact set last_name = 'Other'");
    expect((await verify(undefined, { since })).differences).toBe(0);
    expect((await verify()).differences).toBe(1);
  });
});

it('verify reports a log without its beginning as damaged and advises against a rebuild', async () => {
  const topic = harness.topics.records;
  const address = toKafkaAddress(inject('kafka'), 'verify-test');
  await withAdmin(address, pino({ level: 'silent' }), async (admin) => {
    // Loads its metadata.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '2' }] });
  });
  await expect(verify()).rejects.toThrow(
    new RegExp(`${topic}/0: entries before offset 2 are missing[.] Do not rebuild`),
  );
});
