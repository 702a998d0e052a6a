import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { verifyReadModel } from '../../infra/cli/verify/verify-read-model.ts';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../support/builders/record-event-builder.ts';
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

async function verify(entriesPerSlice?: number) {
  const rebuild = harness.openRebuild(database);
  await rebuild.close();
  return verifyReadModel({
    kafka: toKafkaAddress(inject('kafka'), 'verify-test'),
    topics: harness.topics,
    connect: rebuild.connect,
    log: pino({ level: 'silent' }),
    ...(entriesPerSlice === undefined ? {} : { entriesPerSlice }),
  });
}

it('finds nothing where nothing is wrong', async () => {
  expect(await verify()).toEqual({ differences: 0, list: [], events: 4, records: 2 });
});

it('comes to the same in many slices', async () => {
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
])('finds what this does: %s', async (sql, table, column) => {
  await harness.query(database, sql);
  const { differences, list } = await verify();

  expect(differences).toBeGreaterThan(0);
  expect(list[0]).toMatchObject({ table, column });
});
