import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { indexHistory } from '../../infra/cli/rebuild-log/index-history.ts';
import { findHeldEntries, moveRejected } from '../../infra/cli/rebuild-log/move-rejected.ts';
import { planPartitions } from '../../infra/cli/rebuild-log/plan-partitions.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { inTransaction } from '../../shared/db/in-transaction.ts';
import { loadPositions } from '../../shared/db/positions.ts';
import { entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { partitionOf } from '../../shared/events/partition-of.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import { eventually } from '../support/eventually.ts';
import {
  createProjectorHarness,
  type ProjectorHarness,
} from '../support/harness/projector-harness.ts';

let harness: ProjectorHarness;
let database: string;

beforeEach(async () => {
  harness = await createProjectorHarness(inject('kafka'), inject('databaseUrl'));
  for (const script of [harness.directory, ...harness.records]) await script.fence();
  database = await harness.createDatabase();
});

afterEach(async () => harness.close());

/** Starts a projector whose account table rejects names that are an SQLSTATE, each with that SQLSTATE. */
async function startRefusing() {
  const projector = harness.startProjector(database);
  await harness.untilProjected(database);
  await harness.query(
    database,
    `create function refuse() returns trigger language plpgsql as $$
     begin
       if new.name ~ '^[0-9A-Z]{5}$' then
         raise exception 'refused %', new.name using errcode = new.name;
       end if;
       return new;
     end $$;
     create trigger refuse before insert or update on annals.account
       for each row execute function refuse();`,
  );
  return projector;
}

const accounts = async () =>
  (await harness.query(database, 'select id, version, name from annals.account order by name')).map(
    ({ name, version }) => `${name} v${version}`,
  );

const rejected = async () =>
  (
    await harness.query(
      database,
      'select record_id, reason from annals.rejected_entries order by topic, partition, log_offset',
    )
  ).map(({ record_id, reason }) => [record_id, reason]);

const liveAccounts = async () =>
  (
    await harness.query(
      database,
      `select coalesce(sum(live), 0)::int as live from annals.entity_counts where entity_type = 'Account'`,
    )
  )[0]?.['live'];

describe('an event that the tables reject', () => {
  it.each(['22003', '23514', '42804', '54000'])(
    'quarantines its record with SQLSTATE %s while all other events are stored',
    async (code) => {
      await startRefusing();
      const before = aCreation('Account', { name: 'Before' });
      const poison = aCreation('Account', { name: code });
      const others = Array.from({ length: 9 }, (_, n) =>
        aCreation('Account', { name: `Other ${n}` }),
      );
      await harness.records[0]?.events(before, ...others.slice(0, 4), poison, ...others.slice(4));
      await harness.untilProjected(database);

      expect(await accounts()).toEqual(
        ['Before', ...others.map((_, n) => `Other ${n}`)].map((name) => `${name} v1`),
      );
      expect(await rejected()).toEqual([[poison.recordId, `refused ${code} (${code})`]]);
      expect(await liveAccounts()).toBe(10);
    },
  );

  it('removes an existing record from its table and quarantines its later events', async () => {
    await startRefusing();
    const created = aCreation('Account', { name: 'Good' });
    await harness.records[0]?.events(created, aCreation('Account', { name: 'Other' }));
    await harness.untilProjected(database);
    const poison = anUpdateAfter(created, { name: '22003' });
    await harness.records[0]?.events(poison);
    await harness.untilProjected(database);
    await harness.records[0]?.events(anUpdateAfter(poison, { website: 'https://example.org' }));
    await harness.untilProjected(database);

    expect(await accounts()).toEqual(['Other v1']);
    expect(await liveAccounts()).toBe(1);
    expect((await rejected()).map(([id]) => id)).toEqual([created.recordId, created.recordId]);
    const history = `select version from annals.record_history where record_id = '${created.recordId}' order by 1`;
    expect(await harness.query(database, history)).toEqual(
      [1, 2, 3].map((version) => ({ version })),
    );
  });

  it('is released by a later event that makes the record acceptable', async () => {
    await startRefusing();
    const created = aCreation('Account', { name: 'Good' });
    const poison = anUpdateAfter(created, { name: '22003' });
    await harness.records[0]?.events(created);
    await harness.untilProjected(database);
    await harness.records[0]?.events(poison);
    await harness.untilProjected(database);
    await harness.records[0]?.events(anUpdateAfter(poison, { name: 'Better' }));
    await harness.untilProjected(database);

    expect(await accounts()).toEqual(['Better v3']);
    expect(await rejected()).toEqual([]);
    expect(await liveAccounts()).toBe(1);
  });

  it('is released by a retry once the tables accept it', async () => {
    await startRefusing();
    const created = aCreation('Account', { name: '22003' });
    await harness.records[1]?.events(created);
    await harness.untilProjected(database);
    expect(await accounts()).toEqual([]);

    await harness.query(
      database,
      'drop trigger refuse on annals.account; update annals.rejected_entries set retry = true',
    );
    await eventually(async () => expect(await accounts()).toEqual(['22003 v1']));
    expect(await rejected()).toEqual([]);
    const history = 'select count(*)::int as events from annals.record_history';
    expect(await harness.query(database, history)).toEqual([{ events: 1 }]);
  });

  it('makes the projector wait if the table rejects every record', async () => {
    await startRefusing();
    await harness.query(
      database,
      'alter table annals.account add constraint nothing check (false) not valid',
    );
    await harness.records[0]?.events(aCreation('Account', { name: 'Waits' }));
    await expect(
      eventually(async () => expect(await rejected()).not.toEqual([]), { timeoutMs: 2_000 }),
    ).rejects.toThrow();
    await harness.query(database, 'alter table annals.account drop constraint nothing');
    await harness.untilProjected(database);

    expect(await accounts()).toEqual(['Waits v1']);
    expect(await rejected()).toEqual([]);
  });
});

describe('a definition that Postgres rejects', () => {
  it('delays only the records of its type until it can be created', async () => {
    harness.startProjector(database);
    await harness.untilProjected(database);
    await harness.query(database, 'create view annals.space_rocket as select 1 as id');
    const rocket: RecordEvent = aCreation('SpaceRocket', { name: 'Ariane' });
    await harness.directory.events(
      aCreation(
        entityDefinitionType,
        { fields: { name: { type: 'varchar' } } },
        { recordId: 'SpaceRocket' },
      ),
    );
    await harness.records[0]?.events(rocket, aCreation('Account', { name: 'Free' }));
    await harness.untilProjected(database);
    expect(await accounts()).toEqual(['Free v1']);
    expect((await rejected()).map(([id]) => id)).toEqual([rocket.recordId]);
    const unfit = 'select entity_type from annals.unfit_types';
    expect(await harness.query(database, unfit)).toEqual([{ entity_type: 'SpaceRocket' }]);

    await harness.query(database, 'drop view annals.space_rocket');
    await harness.directory.events(
      aCreation(
        entityDefinitionType,
        { fields: { name: { type: 'varchar' } } },
        { recordId: 'OtherType' },
      ),
    );
    await harness.untilProjected(database);
    await eventually(async () => expect(await rejected()).toEqual([]));
    expect(await harness.query(database, 'select name from annals.space_rocket')).toEqual([
      { name: 'Ariane' },
    ]);
    expect(await harness.query(database, unfit)).toEqual([]);
  });
});

describe('a partition that is rewritten after its old entries', () => {
  it('keeps its records in quarantine at the new offsets of their entries', async () => {
    await startRefusing();
    const created = inFirstPartition(aCreation('Account', { name: 'Good' }));
    const poison = anUpdateAfter(created, { name: '22003' });
    const [records] = harness.records;
    await records?.events(inFirstPartition(aCreation('Account', { name: 'First' })), created);
    // In one batch with the rejected event, the creation would be quarantined, too.
    await harness.untilProjected(database);
    await records?.bytes(Buffer.from('unreadable'));
    await records?.fence();
    await records?.events(poison, inFirstPartition(aCreation('Account', { name: 'Last' })));
    await harness.untilProjected(database);
    const next = anUpdateAfter(poison, { website: 'https://example.org' });
    await records?.events(next);
    await harness.untilProjected(database);

    const held = await writeAgain(1_000n);
    expect(held.map(({ version }) => version)).toEqual([2, 3]);
    // The fence, two events, the other fence, the rejected event, another event.
    const entries = `select log_offset::int as at, record_id from annals.rejected_entries order by 1`;
    expect(await harness.query(database, entries)).toEqual(
      [1_004, 1_006].map((at) => ({ at, record_id: created.recordId })),
    );
    expect(await writeAgain(1_000n)).toEqual([]);
  });
});

/** Replaces the record id with one that belongs to the first partition. */
function inFirstPartition(event: RecordEvent): RecordEvent {
  const ids = Array.from({ length: 100 }, (_, n) => `${event.recordId}${n}`);
  const recordId = ids.find((id) => partitionOf(id, harness.records.length) === 0);
  if (recordId === undefined) throw new Error('no id belongs to the first partition');
  return { ...event, recordId };
}

/** Moves the entries of the first partition as `rebuild-log` does when it rewrites them starting at this offset. */
async function writeAgain(first: bigint) {
  return withClient(database, async (client) => {
    const { topics } = harness;
    await indexHistory(client, topics, {
      recordPartitions: harness.records.length,
      without: new Set(),
      onProgress: () => undefined,
    });
    const plans = await planPartitions(
      client,
      await loadPositions(client),
      Number.POSITIVE_INFINITY,
    );
    const plan = plans.find(({ topic, partition }) => topic === topics.records && partition === 0);
    if (plan === undefined) throw new Error('no plan of the first partition');
    const written = { ...plan, first, filling: 0 };
    const held = await findHeldEntries(client, written);
    await inTransaction(client, () => moveRejected(client, written, held));
    return held;
  });
}
