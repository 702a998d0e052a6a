import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { kafkaLogDirectory, startKafka } from '../../infra/local/kafka/start-kafka.ts';
import { withClient } from '../../infra/local/postgres/ask-database.ts';
import { startPostgres } from '../../infra/local/postgres/start-postgres.ts';
import type { RunningChild } from '../../infra/local/processes/spawn-child.ts';
import { findDiskObstacle, mountDiskImage } from '../support/disk-image.ts';
import { eventually } from '../support/eventually.ts';

/** More often than the WAL writer, the checkpointer and whoever reads come to write something. */
const READS = 40;

describe.runIf(findDiskObstacle() === undefined)('Postgres on a disk without a free byte', () => {
  it('goes on with reads', async () => {
    const disk = mountDiskImage({ megabytes: 300 });
    const { url, stop } = await startPostgres({ dataDir: join(disk.path, 'postgres') });
    try {
      await withClient(url, async (client) => {
        await client.query('create table t (x text)');
        const rows = 'repeat(md5(i::text), 20) from generate_series(1, 20000) i';
        await client.query(`insert into t select ${rows}`);
        // The first read notes in each page that its rows stand, and the WAL then holds the whole page.
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
      disk.giveBack();
      await stop();
      await eventually(() => disk.remove());
    }
  });
});

describe.runIf(findDiskObstacle() === undefined)('Kafka on a disk without a free inode', () => {
  it('keeps what its log holds', async () => {
    const disk = mountDiskImage({ megabytes: 300, inodes: 2_000 });
    const dataDir = join(disk.path, 'kafka');
    const first = await startKafka({ dataDir });
    await endAtOnce(first.process);
    // Other ports would have to be written down.
    const { port, controllerPort } = first;
    const options = { dataDir, port, controllerPort };
    const logs = readLogs(kafkaLogDirectory(dataDir));
    expect(logs.size).toBeGreaterThan(0);

    try {
      // Of a disk without a free byte Java takes notice before Kafka does, more often than not.
      disk.fill('inodes');
      await expect(startKafka(options)).rejects.toThrow(/Starting Kafka|is full/);
      disk.giveBack();

      const after = readLogs(kafkaLogDirectory(dataDir));
      for (const [file, bytes] of logs) {
        expect(after.get(file)?.subarray(0, bytes.length).equals(bytes), file).toBe(true);
      }
      const again = await startKafka(options);
      await again.stop();
    } finally {
      disk.giveBack();
      await eventually(() => disk.remove());
    }
  });
});

async function endAtOnce(broker: RunningChild): Promise<void> {
  process.kill(broker.pid, 'SIGKILL');
  await broker.exited;
}

/** The segments that hold anything, by path. */
function readLogs(directory: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const segments = names.filter((name) => name.endsWith('.log'));
  const read = segments.map((name) => [name, readFileSync(join(directory, name))] as const);
  return new Map(read.filter(([, bytes]) => bytes.length > 0));
}
