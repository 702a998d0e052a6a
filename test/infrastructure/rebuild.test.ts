import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { fillInThreads } from '../../services/projector/rebuild/fill-in-threads.ts';
import type { FewerRows } from '../../services/projector/rebuild/find-fewer-rows.ts';
import {
  dropFormerReadModels,
  type RebuildDeps,
  RebuildRunning,
  rebuildReadModel,
  rollBackReadModel,
} from '../../services/projector/rebuild/rebuild-read-model.ts';
import { measureRebuild } from '../../services/system/status/read-status.ts';
import { rebuildSchema } from '../../shared/db/tables/read-model-names.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { baselineVersions } from '../../shared/events/schema-versions.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import { unverifiedCodes } from '../../shared/secrets/entry-codes.ts';
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
import { dumpReadModel } from '../support/proofs/dump-read-model.ts';

let harness: ProjectorHarness;
let database: string;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  harness = await createProjectorHarness(inject('kafka'), inject('databaseUrl'));
  database = await harness.createDatabase();
  for (const script of [harness.directory, ...harness.records]) await script.fence();
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await harness.close();
});

function openRebuild(): RebuildDeps {
  const rebuild = harness.openRebuild(database);
  closers.push(rebuild.close);
  return rebuild;
}

/** Creates the schema of a rebuild, and stops the rebuild at its first progress report. */
async function prepareSchema(rebuild: RebuildDeps): Promise<void> {
  const killed = rebuildReadModel({
    ...rebuild,
    onProgress() {
      throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
}

/** Values of all kinds, including some that COPY would misread without escaping. */
function aLife(): readonly RecordEvent[] {
  const created = aCreation('Account', {
    name: 'a\tb\\N "c"',
    type: 'Customer',
    teamsIds: ['a', 'b{,"\\'],
    emailAddressData: [{ emailAddress: 'a\\n@b.co', lower: 'a', primary: true }],
    contactIsInactive: false,
  });
  const renamed = anUpdateAfter(created, { name: '\\.', description: 'a\nb\r\n' });
  const rated = anUpdateAfter(renamed, { scoreCust: -0.5, type: null });
  return [created, renamed, rated, aDeletionAfter(rated)];
}

/** Writes accounts whose events are in one chunk, and some whose updates come later. */
async function writeLives(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const [created, renamed, ...others] = aLife();
    const kept = { ...aCreation('Contact', { lastName: 'Kept' }), commandId: `key ${round}` };
    const events = [created, renamed, kept].filter((event) => event !== undefined);
    await harness.records[round % 2]?.events(...events);
    await harness.records[round % 2]?.events(...others);
  }
  await harness.records[0]?.bytes(Buffer.from('poison'));
}

/** Texts that Postgres cannot compress. */
const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('base64url');

const indexNames = async (table: string) =>
  (
    await harness.query(
      database,
      `select indexname as name from pg_indexes where schemaname = 'annals' and tablename = '${table}'`,
    )
  ).map(({ name }) => String(name));

const schemas = async () =>
  (
    await harness.query(
      database,
      "select schema_name as name from information_schema.schemata where schema_name like 'annals%' order by 1",
    )
  ).map(({ name }) => String(name));

describe('a rebuild', () => {
  it('produces the same rows as the projector and keeps the former read model', async () => {
    await writeLives(20);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const projected = await dumpReadModel(database);
    const { entries, former } = await rebuildReadModel(openRebuild());

    expect(await dumpReadModel(database)).toEqual(projected);
    expect(entries).toBe(20 * 5 + 4);
    expect(await schemas()).toEqual(['annals', former]);
  });

  it('quarantines only the record whose value is too large for an index', async () => {
    const created = aCreation('Contact', { lastName: 'Long' });
    const long = Array.from({ length: 600 }, (_, n) => hashOf(n)).join('');
    const kept = aCreation('Contact', { lastName: 'Kept' });
    await harness.records[0]?.events(created, anUpdateAfter(created, { accountId: long }), kept);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const state = async () => ({
      contacts: await harness.query(database, 'select id from annals.contact'),
      rejected: await harness.query(
        database,
        'select distinct record_id as id from annals.rejected_entries',
      ),
      unfit: await harness.query(database, 'select entity_type from annals.unfit_types'),
    });
    const expected = {
      contacts: [{ id: kept.recordId }],
      rejected: [{ id: created.recordId }],
      unfit: [],
    };
    expect(await state()).toEqual(expected);
    await rebuildReadModel({ ...openRebuild(), acceptFewerRows: async () => undefined });
    expect(await state()).toEqual(expected);
    expect(await indexNames('contact')).toContain('contact$account_id');
  });

  it('refuses to switch to far fewer rows without confirmation', async () => {
    await writeLives(20);
    harness.startProjector(database);
    await harness.untilProjected(database);
    await harness.query(
      database,
      `insert into annals.record_history (entity_type, record_id, version, event)
       select entity_type, record_id || 'x' || copy, version, event
       from annals.record_history, generate_series(1, 2) copy`,
    );
    const refused = rebuildReadModel(openRebuild());
    await expect(refused).rejects.toThrow('record_history would have 100 of 300 rows');
    expect(await schemas()).toEqual(['annals', rebuildSchema]);

    const confirmed: FewerRows[] = [];
    const acceptFewerRows = async (tables: readonly FewerRows[]) => void confirmed.push(...tables);
    const { former } = await rebuildReadModel({ ...openRebuild(), acceptFewerRows });
    expect(confirmed).toEqual([{ table: 'record_history', before: 300, after: 100 }]);
    expect(await schemas()).toEqual(['annals', former]);
  });

  it('keeps the times of changes and drops the samples of former versions', async () => {
    await harness.query(database, 'create schema annals_series');
    await writeLives(2);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const times = 'select record_id, version, at_ms from annals.record_history order by 1, 2';
    const before = await harness.query(database, times);
    expect(before.every(({ at_ms: at }) => Number(at) > 0)).toBe(true);
    const { former } = await rebuildReadModel(openRebuild());
    expect(await harness.query(database, times)).toEqual(before);
    expect(await schemas()).toEqual(['annals', former]);
  });

  it('adds trace ids to a read model of an earlier version, including those of earlier events', async () => {
    const [first, second] = ['4bf92f3577b34da6a3ce929d0e0e4736', 'ab'.repeat(16)] as const;
    const write = async (traceId: string) =>
      harness.records[0]?.tracedEvents(`00-${traceId}-00f067aa0ba902b7-01`, ...aLife());
    const traces = async () => {
      const sql = `select encode(trace_id, 'hex') as id, count(*)::int as events
        from annals.record_history group by 1 order by 1`;
      return harness.query(database, sql);
    };
    await write(first);
    const former = harness.startProjector(database);
    await harness.untilProjected(database);
    expect(await traces()).toEqual([{ id: first, events: 4 }]);
    await former.close();
    await harness.query(database, 'alter table annals.record_history drop column trace_id');

    harness.startProjector(database);
    await write(second);
    await harness.records[1]?.events(aCreation('Account', { name: 'Untraced' }));
    await harness.untilProjected(database);
    expect(await traces()).toEqual([
      { id: second, events: 4 },
      { id: null, events: 5 },
    ]);
    await rebuildReadModel(openRebuild());
    expect(await traces()).toEqual([
      { id: first, events: 4 },
      { id: second, events: 4 },
      { id: null, events: 1 },
    ]);
  });

  it('continues after a kill without repeating work', async () => {
    await writeLives(10);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const rebuild = openRebuild();
    let chunks = 0;
    const killed = rebuildReadModel({
      ...rebuild,
      onProgress() {
        chunks += 1;
        if (chunks > 1) throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await schemas()).toEqual(['annals', 'annals_rebuild']);
    const ended = await withClient(database, (client) => measureRebuild(client, 1_000));
    expect(ended).toMatchObject({ isRunning: false, entries: 1_000 });
    expect(ended?.taken).toBeGreaterThan(0);
    await writeLives(3);
    await harness.untilProjected(database);
    const progress: number[] = [];
    const running: Promise<unknown>[] = [];
    await rebuildReadModel({
      ...rebuild,
      onProgress({ done }) {
        progress.push(done);
        if (running.length > 0) return;
        running.push(withClient(database, (client) => measureRebuild(client, 1_000)));
      },
    });
    expect(await running[0]).toMatchObject({ isRunning: true });
    expect(await withClient(database, (client) => measureRebuild(client, 1_000))).toBeNull();

    expect(progress[0]).toBeGreaterThan(0);
    const rebuilt = await dumpReadModel(database);
    await harness.query(database, 'drop schema annals cascade');
    await harness.untilProjected(database).catch(() => {});
    await eventually(async () => expect(await dumpReadModel(database)).toEqual(rebuilt), {
      timeoutMs: 20_000,
    });
  });

  it('can run in several threads without repeating work', async () => {
    await writeLives(20);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const projected = await dumpReadModel(database);
    const rebuild = openRebuild();
    const { signal } = rebuild;
    // The same settings as the projector.
    const kafka: Required<Omit<KafkaAddress, 'security'>> = {
      ...rebuild.source.kafka,
      codes: unverifiedCodes,
      versions: () => baselineVersions,
      partitionsInUse: () => undefined,
      whole: undefined,
    };
    const source = { ...rebuild.source, kafka };
    await prepareSchema(rebuild);
    const work = { source, schema: rebuildSchema };
    const taken: number[] = [];
    const onProgress = (messages: number) => taken.push(messages);
    const share = (...partitions: number[]) =>
      partitions.map((partition) => ({ topic: harness.topics.records, partition }));

    const gone = { ...source, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' };
    await expect(
      fillInThreads({ ...work, source: gone }, [share(0)], { onProgress, signal }),
    ).rejects.toThrow(Unavailable);
    await expect(
      fillInThreads(work, [share(0)], { onProgress, signal: AbortSignal.abort() }),
    ).rejects.toThrow('stopped');
    expect(taken).toEqual([]);
    await fillInThreads(work, [share(0), share(1)], { onProgress, signal });
    const { entries } = await rebuildReadModel(rebuild);

    expect(taken.reduce((sum, messages) => sum + messages, 0)).toBe(entries - 1);
    expect(await dumpReadModel(database)).toEqual(projected);
  });

  it('keeps everything that is written and projected during the rebuild', async () => {
    harness.startProjector(database);
    await writeLives(5);
    await harness.untilProjected(database);
    const rebuild = openRebuild();
    let isDone = false;
    const writing = (async () => {
      while (!isDone) await writeLives(1);
    })();
    try {
      for (let round = 0; round < 3; round++) await rebuildReadModel(rebuild);
    } finally {
      isDone = true;
      await writing;
    }
    await harness.untilProjected(database);

    const live = await dumpReadModel(database);
    await harness.query(database, 'drop schema annals cascade');
    await eventually(async () => expect(await dumpReadModel(database)).toEqual(live), {
      timeoutMs: 20_000,
    });
  });

  it('can be rolled back once the former read model has caught up', async () => {
    harness.startProjector(database);
    await writeLives(5);
    await harness.untilProjected(database);
    const rebuild = openRebuild();
    await rebuildReadModel(rebuild);
    await writeLives(5);
    await harness.untilProjected(database);
    const before = await dumpReadModel(database);
    const { former } = (await rollBackReadModel(rebuild)) ?? {};

    expect(await dumpReadModel(database)).toEqual(before);
    expect(await schemas()).toEqual(['annals', former]);
    await writeLives(2);
    await harness.untilProjected(database);
    const client = await rebuild.connect();
    expect(await dropFormerReadModels(client, () => true)).toEqual([former]);
    await client.end();
    expect(await rollBackReadModel(rebuild)).toBeUndefined();
  });

  it('does not run twice at the same time', async () => {
    await writeLives(5);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const rebuild = openRebuild();
    const outcomes = await Promise.allSettled([
      rebuildReadModel(rebuild),
      rebuildReadModel(rebuild),
    ]);

    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([{ status: 'rejected', reason: expect.any(RebuildRunning) }]);
  });

  it('writes nothing to Kafka', async () => {
    await writeLives(3);
    harness.startProjector(database);
    await harness.untilProjected(database);
    const ends = await harness.query(database, 'select * from annals.positions order by 1, 2');
    await rebuildReadModel(openRebuild());

    expect(await harness.query(database, 'select * from annals.positions order by 1, 2')).toEqual(
      ends,
    );
    await harness.untilProjected(database);
  });
});

describe('a read model without tables', () => {
  it('becomes visible only after it is filled', async () => {
    await writeLives(5);
    harness.startProjector(database);
    const read = () =>
      harness.query(database, 'select id, version from annals.account order by id');
    const firstSeen = await eventually(read, { intervalMs: 1 });
    await harness.untilProjected(database);

    expect(firstSeen).not.toEqual([]);
    expect(firstSeen).toEqual(await read());
  });

  it.each(['account', 'record_history', 'positions', 'entity_counts'])(
    'is rebuilt automatically by the projector when %s is dropped',
    async (table) => {
      await writeLives(5);
      const projectors = [harness.startProjector(database), harness.startProjector(database)];
      await harness.untilProjected(database);
      const before = await dumpReadModel(database);
      await harness.query(database, `drop table annals.${table} cascade`);

      await eventually(async () => expect(await dumpReadModel(database)).toEqual(before), {
        timeoutMs: 20_000,
      });
      await writeLives(1);
      await harness.untilProjected(database);
      for (const projector of projectors) await projector.close();
    },
  );
});
