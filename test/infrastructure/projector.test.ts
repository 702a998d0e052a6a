import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
  aRestorationAfter,
} from '../support/builders/record-event-builder.ts';
import { eventually } from '../support/eventually.ts';
import {
  createProjectorHarness,
  type ProjectorHarness,
} from '../support/harness/projector-harness.ts';
import { dumpReadModel } from '../support/proofs/dump-read-model.ts';

let harness: ProjectorHarness;

beforeEach(async () => {
  harness = await createProjectorHarness(inject('kafka'), inject('databaseUrl'));
  for (const script of [harness.directory, ...harness.records]) await script.fence();
});

afterEach(async () => harness.close());

/** The events of one account: created, changed three times, and deleted. */
function aLife(): readonly RecordEvent[] {
  const created = aCreation('Account', {
    name: 'One',
    type: 'Customer',
    teamsIds: ['a', 'b{,"\\'],
  });
  const renamed = anUpdateAfter(created, { name: 'Two' });
  const emptied = anUpdateAfter(renamed, { type: null, description: 'a\nb' });
  const rated = anUpdateAfter(emptied, { scoreCust: -0.5, name: 'Three' });
  return [created, renamed, emptied, rated, aDeletionAfter(rated)];
}

/** The same, with a restoration at the end. */
function aRestoredLife(): readonly RecordEvent[] {
  const life = aLife();
  return [...life, ...life.slice(-1).map(aRestorationAfter)];
}

const accounts = (database: string) =>
  harness.query(
    database,
    'select id, version, deleted, name, type from annals.account order by id',
  );

describe('the projector', () => {
  it('stores the last values and every event of a record from a single read', async () => {
    const database = await harness.createDatabase();
    const [created, renamed, ...others] = aLife() as [RecordEvent, RecordEvent];
    const kept = aCreation('Account', { name: 'Kept', type: 'Partner' });
    const restored = aRestoredLife();
    await harness.records[0]?.events(created, kept, renamed, ...others, ...restored);
    harness.startProjector(database);
    await harness.untilProjected(database);

    expect(await accounts(database)).toEqual(
      [
        { id: created.recordId, version: 5, deleted: true, name: 'Three', type: null },
        { id: kept.recordId, version: 1, deleted: false, name: 'Kept', type: 'Partner' },
        { id: restored[0]?.recordId, version: 6, deleted: false, name: 'Three', type: null },
      ].toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1)),
    );
    const history =
      'select record_id, version from annals.record_history order by version, record_id';
    expect((await harness.query(database, history)).map(({ version }) => version)).toEqual([
      1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6,
    ]);
    const counts = await harness.query(
      database,
      'select sum(live)::int as live from annals.entity_counts',
    );
    expect(counts).toEqual([{ live: 2 }]);
  });

  it('produces the same read model whether events arrive together or one by one', async () => {
    const [oneByOne, together] = [await harness.createDatabase(), await harness.createDatabase()];
    harness.startProjector(oneByOne);
    const lives = [aLife(), aRestoredLife(), aLife(), aRestoredLife()];
    for (const round of [0, 1, 2, 3, 4, 5]) {
      for (const [index, life] of lives.entries()) {
        const event = life[round];
        if (event !== undefined) await harness.records[index % 2]?.events(event);
        await harness.untilProjected(oneByOne);
      }
      await harness.records[round % 2]?.fence();
    }
    harness.startProjector(together);
    await Promise.all([oneByOne, together].map(harness.untilProjected));

    expect(await dumpReadModel(together)).toEqual(await dumpReadModel(oneByOne));
  });

  it('rebuilds identical rows from Kafka after all tables are dropped', async () => {
    const database = await harness.createDatabase();
    await harness.directory.events(
      aCreation('User', { userName: 'ada', name: 'Ada', type: 'regular', isActive: true }),
    );
    for (const script of harness.records) {
      await script.events(...aLife(), aCreation('Contact', { lastName: 'Lovelace' }));
      await script.bytes(Buffer.from('nonsense'));
      await script.events(aCreation('Case', { name: 'Fire', number: 7 }));
    }
    const first = harness.startProjector(database);
    await harness.untilProjected(database);
    await first.close();
    const before = await dumpReadModel(database);

    await harness.query(database, 'drop schema annals cascade');
    harness.startProjector(database);
    await eventually(() => harness.untilProjected(database));

    expect(await dumpReadModel(database)).toEqual(before);
    expect(Object.values(before).flat().length).toBeGreaterThan(20);
  });

  it('skips invalid entries, quarantines unreadable ones and continues', async () => {
    const database = await harness.createDatabase();
    harness.startProjector(database);
    const [created, renamed, ...others] = aLife() as [RecordEvent, RecordEvent];
    const script = harness.records[1];
    const badBodies = [
      Buffer.from('not Avro'),
      Buffer.from('c301ffffffffffffffff00', 'hex'),
      Buffer.alloc(0),
    ];
    await script?.events(created);
    await script?.lastEventsAgain();
    await script?.staleEvents(anUpdateAfter(created, { name: 'Of a dead writer' }));
    await script?.staleFence();
    for (const bytes of badBodies) await script?.bytes(bytes);
    await script?.events(renamed, ...others);
    await harness.untilProjected(database);

    expect(await accounts(database)).toEqual([
      { id: created.recordId, version: 5, deleted: true, name: 'Three', type: null },
    ]);
    const rejected = 'select entry, reason from annals.rejected_entries order by log_offset';
    expect(await harness.query(database, rejected)).toEqual(
      badBodies.map((entry) => ({ entry, reason: expect.stringMatching(/./) })),
    );
  });

  it('quarantines an event with an impossible version and stores the rest of its batch', async () => {
    const database = await harness.createDatabase();
    const created = aCreation('Account', { name: 'First' });
    const tooEarly = { ...anUpdateAfter(created, { name: 'Third' }), version: 3 };
    const other = aCreation('Account', { name: 'Other' });
    await harness.records[0]?.events(created, tooEarly, other);
    harness.startProjector(database);
    await harness.untilProjected(database);

    expect(new Set((await accounts(database)).map(({ name }) => name))).toEqual(
      new Set(['First', 'Other']),
    );
    expect(await harness.query(database, 'select reason from annals.rejected_entries')).toEqual([
      { reason: 'version 3 instead of 2' },
    ]);
  });

  it('adds a column for a custom field and a table for a custom entity type', async () => {
    const database = await harness.createDatabase();
    harness.startProjector(database);
    const before = aCreation('Account', { name: 'Before' });
    await harness.records[0]?.events(before);
    await harness.untilProjected(database);

    await harness.directory.events(
      aCreation(
        entityDefinitionType,
        { fields: { stars: { type: 'int' }, tagList: { type: 'array' } } },
        { recordId: 'Account' },
      ),
      aCreation(
        entityDefinitionType,
        { fields: { name: { type: 'varchar' }, launchedAt: { type: 'datetime' } } },
        { recordId: 'SpaceRocket' },
      ),
    );
    await harness.records[0]?.events(
      anUpdateAfter(before, { stars: 5, tagList: ['x', 'y z'] }),
      aCreation('SpaceRocket', { name: 'Ariane', launchedAt: '2030-01-01 00:00:00' }),
    );
    await harness.untilProjected(database);

    expect(
      await harness.query(database, 'select name, stars, tag_list from annals.account'),
    ).toEqual([{ name: 'Before', stars: 5, tag_list: ['x', 'y z'] }]);
    const rockets = 'select name, launched_at::text from annals.space_rocket';
    expect(await harness.query(database, rockets)).toEqual([
      { name: 'Ariane', launched_at: '2030-01-01 00:00:00' },
    ]);
  });

  it('stores empty values for attributes that an event does not contain', async () => {
    const database = await harness.createDatabase();
    const complete = aCreation('Contact', { lastName: 'Told', doNotCall: true, teamsIds: ['a'] });
    const partial = aCreation('Contact', { lastName: 'Untold' });
    const emptied = aCreation('Contact', { lastName: 'Emptied' });
    await harness.records[0]?.events(complete, partial, emptied);
    await harness.records[0]?.events(anUpdateAfter(emptied, { teamsIds: null }));
    harness.startProjector(database);
    await harness.untilProjected(database);

    const select = `select last_name, do_not_call, teams_ids, email_address_data, accounts_columns
      from annals.contact order by last_name`;
    const empty = { do_not_call: false, email_address_data: [], accounts_columns: {} };
    expect(await harness.query(database, select)).toEqual([
      { ...empty, last_name: 'Emptied', teams_ids: null },
      { ...empty, last_name: 'Told', do_not_call: true, teams_ids: ['a'] },
      { ...empty, last_name: 'Untold', teams_ids: [] },
    ]);
  });

  it('fills nulls in columns from an earlier version with empty values', async () => {
    const database = await harness.createDatabase();
    const earlier = harness.startProjector(database);
    await harness.untilProjected(database);
    await earlier.close();
    await harness.query(
      database,
      'alter table annals.contact alter column do_not_call drop default, alter column teams_ids drop default',
    );
    harness.startProjector(database);
    await harness.records[0]?.events(aCreation('Contact', { lastName: 'Untold' }));
    await harness.untilProjected(database);

    const select = 'select do_not_call, teams_ids from annals.contact';
    expect(await harness.query(database, select)).toEqual([{ do_not_call: false, teams_ids: [] }]);
  });

  it('continues after its connection to Postgres is cut', async () => {
    const database = await harness.createDatabase();
    harness.startProjector(database);
    const created = aCreation('Account', { name: 'Zero' });
    await harness.records[0]?.events(created);
    await harness.untilProjected(database);

    let last: RecordEvent = created;
    for (const name of ['One', 'Two', 'Three']) {
      await harness.query(
        database,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'projector-test'`,
      );
      last = anUpdateAfter(last, { name });
      await harness.records[0]?.events(last);
    }
    await harness.untilProjected(database);

    expect(await accounts(database)).toMatchObject([{ version: 4, name: 'Three' }]);
  });

  it('produces the same read model if interrupted while reading a long log', async () => {
    const [interrupted, undisturbed] = [
      await harness.createDatabase(),
      await harness.createDatabase(),
    ];
    // Waits until the projector runs: a rebuild would fill an empty database from a long log.
    for (const database of [interrupted, undisturbed]) {
      const projector = harness.startProjector(database);
      await harness.untilProjected(database);
      await projector.close();
    }
    const description = 'x'.repeat(60_000);
    for (let round = 0; round < 100; round += 1) {
      const created = aCreation('Account', { name: `Long ${round}`, description });
      const renamed = anUpdateAfter(created, { name: `Longer ${round}` });
      await harness.records[round % 2]?.events(
        created,
        renamed,
        anUpdateAfter(renamed, { description }),
      );
    }
    harness.startProjector(undisturbed);
    await harness.untilProjected(undisturbed);
    harness.startProjector(interrupted);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'projector-test' and query like 'with%'`;
    await eventually(async () => expect(await harness.query(interrupted, cut)).not.toEqual([]));
    await harness.untilProjected(interrupted);

    expect(await dumpReadModel(interrupted)).toEqual(await dumpReadModel(undisturbed));
  });
});

describe('two projectors on one database', () => {
  it('store each record once in its last version with correct counts', async () => {
    const database = await harness.createDatabase();
    const projectors = [harness.startProjector(database), harness.startProjector(database)];
    const deletedOnes: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      const life = aLife();
      const survivor = aCreation('Account', { name: `Survivor ${round}` });
      deletedOnes.push(life[0]?.recordId ?? '');
      await harness.records[round % 2]?.events(...life.slice(0, 2), survivor);
      await harness.records[round % 2]?.events(...life.slice(2));
      if (round === 20) await projectors[0]?.close();
      if (round === 30) harness.startProjector(database);
    }
    await harness.untilProjected(database);

    const rows = await accounts(database);
    expect(rows).toHaveLength(80);
    expect(
      rows.filter(({ deleted }) => deleted).map(({ id, version }) => ({ id, version })),
    ).toEqual(deletedOnes.toSorted().map((id) => ({ id, version: 5 })));
    const history = 'select count(*)::int as entries from annals.record_history';
    expect(await harness.query(database, history)).toEqual([{ entries: 40 * 6 }]);
    const counts = `select partition, live::int from annals.entity_counts order by partition`;
    expect(await harness.query(database, counts)).toEqual([
      { partition: 0, live: 20 },
      { partition: 1, live: 20 },
    ]);
    expect(await harness.query(database, 'select reason from annals.rejected_entries')).toEqual([]);
  });
});
