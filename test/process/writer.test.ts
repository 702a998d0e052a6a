import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { startKafka } from '../../infra/local/kafka/start-kafka.ts';
import { RecordCache } from '../../services/command/writer/memory/record-cache.ts';
import { NotOwner } from '../../services/command/writer/not-owner.ts';
import { openPartitionLog } from '../../services/command/writer/partition-log.ts';
import { PartitionWriter } from '../../services/command/writer/partition-writer.ts';
import type { Submission, Written } from '../../services/command/writer/submission.ts';
import { Refusal, StorageLow, Unavailable } from '../../shared/domain/errors.ts';
import type { RecordState } from '../../shared/domain/record/record-state.ts';
import { emptyFold } from '../../shared/events/fold.ts';
import { baselineVersions } from '../../shared/events/schema-versions.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { eventually } from '../support/eventually.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import {
  createWriterHarness,
  toCreate,
  toRename,
  type WriterHarness,
} from '../support/harness/writer-harness.ts';
import { writerMemory } from '../support/harness/writer-memory.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { testCodes } from '../support/log/test-codes.ts';

let place: WriterHarness;
let log: LogReader;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  place = await createWriterHarness(inject('kafka'), inject('databaseUrl'));
  log = createLogReader(inject('kafka'));
  closers.push(place.close, log.close);
});

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const owned = async (writer: PartitionWriter) =>
  eventually(() => expect(writer.isOwned()).toBe(true), { timeoutMs: 20_000 });

/** Acquires the partition again each time that the other writer has taken it. */
async function submitUntilOwned(
  writer: PartitionWriter | undefined,
  submission: Submission,
): Promise<Written> {
  for (;;) {
    writer?.acquire();
    try {
      const written = await writer?.submit(submission);
      if (written !== undefined) return written;
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
    }
  }
}

function refuseUnlessRenamed(state: RecordState | undefined): undefined {
  if (state?.version !== 2)
    throw new Refusal('conflict', 'record.version_differs', 'Not this one.');
}

/** Returns the names of a record in the log, by version. Throws if versions have a gap. */
const namesInLog = async (reader: LogReader, topic: string, recordId: string) => {
  const events = (await reader.events(topic)).filter((event) => event.recordId === recordId);
  expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
  return events.map(({ changes }) => changes[0]?.after);
};

describe('a writer', () => {
  it("returns the offset of each command's event with consecutive versions", async () => {
    const writer = place.openWriter();
    const { topics } = place.harness;
    const created = await writer.submit(toCreate('a', 'name 0'));
    const renamed = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        writer.submit(toRename('a', `name ${index + 1}`)),
      ),
    );

    const messages = (await log.messages(topics.records))[0] ?? [];
    expect(created.state).toMatchObject({ version: 1, values: { name: 'name 0' } });
    expect(renamed.map(({ state }) => state.version)).toEqual(renamed.map((_, index) => index + 2));
    expect(renamed.map(({ offset }) => offset)).toEqual(
      messages.slice(2).map((message) => message.offset),
    );
    expect(await namesInLog(log, topics.records, 'a')).toEqual(
      [created, ...renamed].map(({ state }) => state.values['name']),
    );
  });

  it('continues after another writer with the state from Postgres', async () => {
    const first = place.openWriter();
    await first.submit(toCreate('a', 'by the first'));
    await first.close();
    const second = place.openWriter();
    const renamed = await second.submit(toRename('a', 'by the second'));

    expect(renamed.state).toMatchObject({ version: 2, values: { name: 'by the second' } });
    expect(await namesInLog(log, place.harness.topics.records, 'a')).toEqual([
      'by the first',
      'by the second',
    ]);
  });

  it('continues after another writer before its events are projected', async () => {
    const first = place.openWriter();
    const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
    await first.submit(toCreate('a', 'created'));
    const renames = names.map(async (name) => first.submit(toRename('a', name)));
    const second = place.openWriter();
    const outcomes = await Promise.allSettled(renames);
    // The first writer rejects commands that it received too late. They have no effect.
    for (const [index, { status }] of outcomes.entries()) {
      if (status === 'rejected') await second.submit(toRename('a', `name ${index}`));
    }
    const last = await second.submit(toRename('a', 'by the second'));

    expect(last.state.version).toBe(22);
    expect(await namesInLog(log, place.harness.topics.records, 'a')).toEqual([
      'created',
      ...names,
      'by the second',
    ]);
  });

  it.each<readonly [string, Submission]>([
    ['the refusal', { ...toRename('a', ''), decide: refuseUnlessRenamed }],
    ['the unchanged state', toRename('a', 'by the first')],
  ])('throws NotOwner instead of returning %s from its stale view', async (_, submission) => {
    const first = place.openWriter();
    await first.submit(toCreate('a', 'by the first'));
    const second = place.openWriter();
    await second.submit(toRename('a', 'by the second'));
    // As after a pause of its process: it has not detected the other writer yet.
    expect(first.isOwned()).toBe(true);

    await expect(first.submit(submission)).rejects.toThrow(NotOwner);
  });

  it('does not fork a record when another writer competes for the partition', async () => {
    const { topics } = place.harness;
    const writers = [place.openWriter(), place.openWriter()];
    await submitUntilOwned(writers[0], toCreate('shared', 'created'));
    const names = Array.from({ length: 60 }, (_, index) => `name ${index}`);
    const outcomes = await Promise.all(
      names.map(async (name, index) => {
        const writer = writers[index % 2];
        const own = await submitUntilOwned(writer, toCreate(`own ${index}`, name));
        const shared = await submitUntilOwned(writer, toRename('shared', name));
        return { own: own.state.version, version: shared.state.version };
      }),
    );

    const [partition] = await log.folded(topics.records);
    expect(partition?.fences.length).toBeGreaterThan(1);
    expect(outcomes.map(({ own }) => own)).toEqual(names.map(() => 1));
    const shared = await namesInLog(log, topics.records, 'shared');
    expect(shared.slice(1).toSorted()).toEqual(names.toSorted());
    expect(outcomes.map(({ version }) => shared[(version ?? 0) - 1])).toEqual(names);
    await place.harness.untilProjected(place.databaseUrl);
    const rows = await place.harness.query(
      place.databaseUrl,
      "select version, name from annals.account where id = 'shared'",
    );
    expect(rows).toEqual([{ version: 61, name: shared.at(-1) }]);
  });

  it('writes exactly the acknowledged commands before it closes', async () => {
    const writer = place.openWriter();
    await owned(writer);
    const submitted: Promise<boolean>[] = [];
    let acknowledged = 0;
    const submit = () => {
      const written = writer.submit(toCreate(`${submitted.length}`, 'x'));
      submitted.push(
        written.then(
          () => {
            acknowledged += 1;
            return true;
          },
          () => false,
        ),
      );
    };
    while (acknowledged < 50) {
      submit();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const closing = writer.close();
    submit();
    const isWritten = await Promise.all(submitted);
    await closing;

    const stored = new Set(
      (await log.events(place.harness.topics.records)).map((it) => it.recordId),
    );
    expect(isWritten).toEqual(submitted.map((_, index) => stored.has(`${index}`)));
    expect(new Set(isWritten)).toEqual(new Set([true, false]));
  });
});

describe('a writer before the first start of a projector', () => {
  it('acquires its partition once the tables exist and can be closed before then', async () => {
    const own = await createWriterHarness(inject('kafka'), inject('databaseUrl'), {
      hasProjector: false,
    });
    closers.push(own.close);
    const first = own.openWriter();
    const refused = expect(first.submit(toCreate('a', 'too early'))).rejects.toThrow(Unavailable);
    await first.close();
    await refused;
    const second = own.openWriter();
    const written = second.submit(toCreate('a', 'waited'));
    own.harness.startProjector(own.databaseUrl);

    expect((await written).state).toMatchObject({ version: 1, values: { name: 'waited' } });
    expect(await namesInLog(log, own.harness.topics.records, 'a')).toEqual(['waited']);
  });
});

describe('a writer on a nearly full disk', () => {
  it('rejects writes that grow the log, acknowledges unchanged ones and recovers', async () => {
    let isFull = false;
    const writer = place.openWriter(() => {
      if (isFull) throw new StorageLow();
    });
    await owned(writer);
    const creation = { ...toCreate('r1', 'First'), commandId: 'key', commandHash: 'hash' };
    await writer.submit(creation);
    isFull = true;

    await expect(writer.submit(toRename('r1', 'Second'))).rejects.toThrow(StorageLow);
    await expect(writer.submit(toCreate('r2', 'Other'))).rejects.toThrow(StorageLow);
    expect(await writer.submit(toRename('r1', 'First'))).toMatchObject({ changed: [] });
    expect(await writer.submit(creation)).toMatchObject({ isReplay: true });

    isFull = false;
    await writer.submit(toRename('r1', 'Third'));
    const { records } = place.harness.topics;
    expect(await namesInLog(log, records, 'r1')).toEqual(['First', 'Third']);
    expect(await namesInLog(log, records, 'r2')).toEqual([]);
  });
});

describe('a writer whose acknowledgements are lost', () => {
  it('executes and acknowledges each command once by reading the outcome from the log', async () => {
    const { topics } = place.harness;
    const real = openPartitionLog(
      { ...toKafkaAddress(inject('kafka'), 'lossy-test'), codes: testCodes },
      { topic: topics.records, partition: 0 },
      pino({ level: 'silent' }),
    );
    const random = createRandomSource(1);
    let sends = 0;
    const projected = () => 0n;
    const writer = new PartitionWriter({
      ...writerMemory(projected),
      log: {
        ...real,
        async append(messages) {
          sends += 1;
          if (random.chance(0.3)) throw new Unavailable('lost on its way');
          const offset = await real.append(messages);
          if (random.chance(0.4)) throw new Unavailable('the answer was lost');
          return offset;
        },
      },
      cache: new RecordCache({
        read: async () => undefined,
        projected,
        waitProjected: async () => {},
        maxEntries: 1_000,
      }),
      startFrom: async () => ({ ...emptyFold, offset: 0n }),
      owner: 'lossy',
      address: 'http://127.0.0.1:1',
      newToken: () => `token ${sends}`,
      seals: () => true,
      versions: () => baselineVersions,
      obstacle: () => undefined,
      newEventId: () => crypto.randomUUID(),
      now: Date.now,
      limits: { maxEvents: 5, maxBytes: 900_000 },
      pause: async () => {},
      logger: pino({ level: 'silent' }),
    });
    closers.push(async () => writer.close());
    writer.acquire();

    const written = await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        writer.submit(toCreate(`${index}`, `n${index}`)),
      ),
    );

    const events = await log.events(topics.records);
    expect(events.map(({ recordId }) => recordId).toSorted()).toEqual(
      written.map(({ state }) => state.id).toSorted(),
    );
    expect(sends).toBeGreaterThan(20);
  });
});

describe('a writer whose broker is killed', () => {
  it('writes every command once as soon as the broker returns', async () => {
    const dataDir = makeTestDirectory();
    const options = { dataDir: join(dataDir, 'kafka') };
    let broker = await startKafka(options);
    closers.push(
      async () => rmSync(dataDir, { recursive: true, force: true }),
      async () => broker.stop(),
    );
    const { access, port, controllerPort } = broker;
    const own = await createWriterHarness(access, inject('databaseUrl'));
    const reader = createLogReader(access);
    closers.push(reader.close, own.close);
    const writer = own.openWriter();
    await writer.submit(toCreate('shared', 'created'));

    let isKilled = false;
    const submitted: Promise<unknown>[] = [];
    const killed = eventually(() => expect(submitted.length).toBeGreaterThan(50)).then(() => {
      isKilled = true;
      broker.process.kill();
      return broker.process.exited;
    });
    while (!isKilled || submitted.length < 150) {
      const index = submitted.length;
      submitted.push(writer.submit(toRename('shared', `name ${index}`, 60_000)));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await killed;
    broker = await startKafka({ ...options, port, controllerPort });
    await Promise.all(submitted);

    const names = await namesInLog(reader, own.harness.topics.records, 'shared');
    expect(names).toEqual(['created', ...submitted.map((_, index) => `name ${index}`)]);
    await own.harness.untilProjected(own.databaseUrl);
    const rows = await own.harness.query(own.databaseUrl, 'select version from annals.account');
    expect(rows).toEqual([{ version: submitted.length + 1 }]);
  });
});
