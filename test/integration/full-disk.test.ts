import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/ask-database.ts';
import { startPostgres } from '../../infra/local/postgres/start-postgres.ts';
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
