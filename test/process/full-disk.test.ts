import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { kafkaLogDirectory, startKafka } from '../../infra/local/kafka/start-kafka.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { startPostgres } from '../../infra/local/postgres/start-postgres.ts';
import type { RunningChild } from '../../infra/local/processes/spawn-child.ts';
import { createKafkajsClient } from '../../shared/kafka/connection.ts';
import { findDiskObstacle, mountDiskImage } from '../support/disk-image.ts';
import { eventually } from '../support/eventually.ts';

/** Enough reads for the WAL writer, the checkpointer and the reads themselves to write something. */
const READS = 40;

describe.runIf(findDiskObstacle() === undefined)('Postgres on a disk without a free byte', () => {
  it('continues to serve reads', async () => {
    const disk = mountDiskImage({ megabytes: 300 });
    const { url, stop } = await startPostgres({ dataDir: join(disk.path, 'postgres') });
    try {
      await withClient(url, async (client) => {
        await client.query('create table t (x text)');
        const rows = 'repeat(md5(i::text), 20) from generate_series(1, 20000) i';
        await client.query(`insert into t select ${rows}`);
        // The first read after a checkpoint sets hint bits in each page, which writes the full page to the
        // WAL.
        await client.query('checkpoint');
        disk.fill('bytes');
      });
      for (let read = 0; read < READS; read++) {
        const { rows } = await withClient(url, async (client) =>
          client.query('select count(*) as count from t'),
        );
        expect(rows).toEqual([{ count: '20000' }]);
        await sleep(50);
      }
    } finally {
      disk.releaseSpace();
      await stop();
      await eventually(() => disk.remove());
    }
  });
});

describe.runIf(findDiskObstacle() === undefined)('Kafka on a disk without a free inode', () => {
  it('keeps all bytes of its log', async () => {
    const disk = mountDiskImage({ megabytes: 300, inodes: 2_000 });
    const dataDir = join(disk.path, 'kafka');
    const first = await startKafka({ dataDir });
    await endAtOnce(first.process);
    // New ports would have to be written to the full disk.
    const { port, controllerPort } = first;
    const options = { dataDir, port, controllerPort };
    const logs = readLogs(kafkaLogDirectory(dataDir));
    expect(logs.size).toBeGreaterThan(0);

    try {
      // Java usually detects a disk without a free byte before Kafka does; hence inodes.
      disk.fill('inodes');
      await expect(startKafka(options)).rejects.toThrow(/Starting Kafka|is full/);
      disk.releaseSpace();

      const after = readLogs(kafkaLogDirectory(dataDir));
      for (const [file, bytes] of logs) {
        expect(after.get(file)?.subarray(0, bytes.length).equals(bytes), file).toBe(true);
      }
      const again = await startKafka(options);
      await again.stop();
    } finally {
      disk.releaseSpace();
      await eventually(() => disk.remove());
    }
  });
});

describe.runIf(findDiskObstacle() === undefined)(
  'Kafka on a disk that fills up during writes',
  () => {
    it('assigns no offset twice', async () => {
      const disk = mountDiskImage({ megabytes: 300 });
      const dataDir = join(disk.path, 'kafka');
      const segment = join(kafkaLogDirectory(dataDir), 'full-0', `${'0'.repeat(20)}.log`);
      let broker = await startKafka({ dataDir });
      const { port, controllerPort } = broker;
      const client = createKafkajsClient(toKafkaAddress(broker.access, 'full'), silent);
      const admin = client.admin({ retry: { retries: 0 } });
      const producer = client.producer({ retry: { retries: 0 } });
      const send = async () =>
        producer.send({ topic: 'full', messages: [{ value: Buffer.alloc(200) }] });
      try {
        await admin.connect();
        await admin.createTopics({ topics: [{ topic: 'full', configEntries: rareIndexEntries }] });
        await admin.disconnect();
        await producer.connect();
        // The next one fits into the last block of the segment, but the indexes get their first entry.
        do await send();
        while (statSync(segment).size <= INDEX_INTERVAL);
        disk.fill('bytes');
        for (let tries = 0; tries < 3; tries++) await send().catch(() => undefined);
        disk.releaseSpace();
        await sleep(1_000);
        if (broker.process.hasExited())
          broker = await startKafka({ dataDir, port, controllerPort });
        await eventually(send, { timeoutMs: 30_000 });
        const offsets = readBaseOffsets(segment);

        expect(offsets).toEqual(offsets.map((_, index) => BigInt(index)));
      } finally {
        disk.releaseSpace();
        await producer.disconnect();
        await broker.stop();
        await eventually(() => disk.remove());
      }
    });
  },
);

/** More than a disk block, so that the first index entry begins a new block. */
const INDEX_INTERVAL = 5_000;
const rareIndexEntries = [{ name: 'index.interval.bytes', value: `${INDEX_INTERVAL}` }];
const silent = pino({ level: 'silent' });

/** Reads the base offset of each batch of a segment; a batch has its offset and its remaining length first. */
function readBaseOffsets(segment: string): readonly bigint[] {
  const bytes = readFileSync(segment);
  const offsets: bigint[] = [];
  for (let at = 0; at < bytes.length; at += 12 + bytes.readInt32BE(at + 8)) {
    offsets.push(bytes.readBigInt64BE(at));
  }
  return offsets;
}

async function endAtOnce(broker: RunningChild): Promise<void> {
  process.kill(broker.pid, 'SIGKILL');
  await broker.exited;
}

/** Reads all non-empty segments, by path. */
function readLogs(directory: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const segments = names.filter((name) => name.endsWith('.log'));
  const read = segments.map((name) => [name, readFileSync(join(directory, name))] as const);
  return new Map(read.filter(([, bytes]) => bytes.length > 0));
}
