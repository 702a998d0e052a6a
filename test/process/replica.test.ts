import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { startReplica } from '../support/harness/start-replica.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';
import { scrape } from '../support/scrape.ts';

const CLIENTS = 6;
const ROUNDS = 25;
const LONGEST_PAUSE_MS = 250;

describe('Annals with a streaming replica for reads', () => {
  let database: TestDatabase;
  let replica: Awaited<ReturnType<typeof startReplica>>;
  let product: StartedProduct;
  let api: ApiClient;

  const answered = async (from: 'replica' | 'primary'): Promise<number> => {
    const { samples } = await scrape(product.internalUrl('api'));
    return samples('annals_database_reads_total').get(`from="${from}"`) ?? 0;
  };

  const untilUsed = async (): Promise<void> => {
    const before = await answered('replica');
    await eventually(async () => {
      expect((await api.get('/Account?maxSize=1')).status).toBe(200);
      expect(await answered('replica')).toBeGreaterThan(before);
    });
  };

  beforeAll(async () => {
    database = await createTestDatabase(inject('databaseUrl'));
    replica = await startReplica(database.url);
    product = await startProduct({
      env: { DATABASE_URL: database.url, DATABASE_READ_URL: replica.url },
    });
    api = createApiClient(product.url, withApiKey(product.access().apiKey));
  });

  afterAll(async () => {
    api?.close();
    await product?.remove();
    await replica?.stop();
    await database?.drop();
  });

  it('reads records, lists and histories from the replica', async () => {
    await untilUsed();
    const { id } = recordIn(await api.post('/Account', anAccount({ name: 'Read elsewhere' })));
    await untilUsed();
    // The replica may lag for a moment.
    await eventually(async () => {
      const before = await answered('primary');
      for (const path of [`/Account/${id}`, '/Account', `/Account/${id}/history`]) {
        expect((await api.get(path)).status).toBe(200);
      }
      expect(await answered('primary')).toBe(before);
    });
  });

  it('never returns stale data, even while the replica pauses repeatedly', async () => {
    await untilUsed();
    const before = await answered('replica');
    let isDone = false;
    const disturb = async () => {
      while (!isDone) {
        await replica.pause();
        await sleep(Math.random() * LONGEST_PAUSE_MS);
        await replica.resume();
        await sleep(1_500 * Math.random());
      }
    };
    const writeAndRead = async (client: number): Promise<void> => {
      const { id } = recordIn(await api.post('/Account', anAccount({ name: `Client-${client}` })));
      const where = `where[0][type]=equals&where[0][attribute]=name&where[0][value]=Client-${client}`;
      for (let round = 0; round < ROUNDS; round++) {
        const website = `https://${round}.example`;
        recordIn(await api.put(`/Account/${id}`, { website }));
        expect(recordIn(await api.get(`/Account/${id}`))).toMatchObject({ website });
        const listed = await api.get(`/Account?${where}`);
        expect(listed.body).toMatchObject({ total: 1, list: [{ id, website }] });
        await sleep(100);
      }
    };
    const disturbing = disturb();
    try {
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => writeAndRead(client)));
    } finally {
      isDone = true;
      await disturbing;
    }
    expect(await answered('replica')).toBeGreaterThan(before);
  });

  it('reads from the primary while the replica lags and then returns to the replica', async () => {
    await untilUsed();
    await replica.pause();
    const { id } = recordIn(await api.post('/Account', anAccount({ name: 'Not there yet' })));
    const before = await answered('primary');
    expect(recordIn(await api.get(`/Account/${id}`))).toMatchObject({ name: 'Not there yet' });
    expect(await answered('primary')).toBeGreaterThan(before);
    const rows = await replica.query(`select 1 from annals.account where id = '${id}'`);
    expect(rows).toEqual([]);
    expect(product.output()).toContain('reads go to the primary');
    await replica.resume();
    await untilUsed();
  });

  it('continues to read and stays ready without the replica', async () => {
    await untilUsed();
    await replica.stop();
    for (let round = 0; round < ROUNDS; round++) {
      expect((await api.get('/Account?maxSize=1')).status).toBe(200);
    }
    expect((await fetch(`${product.internalUrl('api')}/readyz`)).status).toBe(200);
  });
});
