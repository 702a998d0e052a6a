import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { outageOf } from '../../shared/db/outage-of.ts';
import { createClient, createPool } from '../../shared/db/pool.ts';
import { watchProjection } from '../../shared/db/projection-watch.ts';
import { requireSession } from '../../shared/db/require-session.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { hasPooler, hasPoolerOfNames, startPooler } from '../support/harness/start-pooler.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';

/** More than the connections of the pooler. */
const CLIENTS = 12;
const ROUNDS = 10;

describe.each([
  { named: 'unnamed statements', keepsNames: false, isThere: hasPooler() },
  { named: 'named statements', keepsNames: true, isThere: hasPoolerOfNames() },
])('Annals with $named behind a pooler in transaction mode', (kind) => {
  if (!kind.isThere) {
    it.skip('requires PgBouncer, version 1.21 or later for named statements', () => undefined);
    return;
  }
  const topics = { ANNALS_TOPIC_PREFIX: `test-${randomBytes(4).toString('hex')}` };
  let database: TestDatabase;
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  let product: StartedProduct;
  let api: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(inject('databaseUrl'));
    pooler = await startPooler(database.url, kind);
    product = await startProduct({
      env: {
        ...topics,
        DATABASE_URL: pooler.url,
        DATABASE_SESSION_URL: database.url,
        DATABASE_NAMED_STATEMENTS: `${kind.keepsNames}`,
      },
    });
    api = createApiClient(product.url, withApiKey(product.access().apiKey));
  });

  afterAll(async () => {
    api?.close();
    await product?.remove();
    await pooler?.stop();
    await database?.drop();
  });

  it('returns every write to its client when clients outnumber connections', async () => {
    const writeAndRead = async (client: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `Pooled ${client}-${round}`;
        const { id } = recordIn(await api.post('/Account', anAccount({ name })));
        const changed = await api.put(`/Account/${id}`, { website: `https://${round}.example` });
        expect(recordIn(changed)).toMatchObject({ name });
        const read = recordIn(await api.get(`/Account/${id}`));
        expect(read).toMatchObject({ name, website: `https://${round}.example` });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => writeAndRead(client)));
    const where = 'where[0][type]=startsWith&where[0][attribute]=name&where[0][value]=Pooled';
    expect((await api.get(`/Account?${where}`)).body).toMatchObject({ total: CLIENTS * ROUNDS });
    expect((await api.get('/Account?maxSize=1')).status).toBe(200);
  });

  it('sends only statements without session state through the pooler', async () => {
    const through = await withClient(database.url, async (client) => {
      const { rows } = await client.query(
        'select application_name as name, count(*)::int as count from pg_stat_activity where datname = current_database() group by 1',
      );
      return new Map(rows.map(({ name, count }) => [name, count]));
    });
    // PgBouncer's three, shared by the api's sixteen, plus a listening connection.
    expect(through.get('annals-api')).toBeLessThanOrEqual(4);
    expect(through.get('annals-projector')).toBeGreaterThan(0);
  });

  it('reports the missing setting if session connections also use the pooler', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const connection = { url: pooler.url, applicationName: 'test' };
    const watch = watchProjection(connection, log);
    try {
      await eventually(() => expect(lines.join()).toContain('set DATABASE_SESSION_URL'));
      expect(Object.values(await watch.checks())).toContain(false);
    } finally {
      await watch.close();
    }
    const direct = createClient({ ...connection, url: database.url });
    await direct.connect();
    await expect(requireSession(direct, { ...connection, url: database.url })).resolves.toBe(
      undefined,
    );
    await direct.end();
  });

  it.skipIf(kind.keepsNames)(
    'reports the setting to change if the pooler loses named statements',
    async () => {
      const connection = { url: pooler.url, applicationName: 'test', poolSize: 4 };
      const pool = createPool(connection);
      const statement = { name: 'again', text: 'select pg_sleep(0.05)' };
      const all = Array.from({ length: 4 }, () => pool.query(statement));
      const failed = (await Promise.allSettled(all)).find((each) => each.status === 'rejected');
      await pool.end();
      expect(outageOf(failed?.reason)).toMatchObject({
        remedy: expect.stringContaining('DATABASE_NAMED_STATEMENTS=false'),
      });
    },
  );

  it('passes verify', async () => {
    const verified = await runCli(['verify', '--data-dir', product.dataDir], topics);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
  });
});
