import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { attemptTables, ensureDays } from '../../services/projector/attempts/attempt-tables.ts';
import { ensureSecondaryTables } from '../../services/projector/secondary/positions.ts';
import { ensureTables } from '../../services/projector/tables/ensure-tables.ts';
import {
  attemptsBySteps,
  changesBySteps,
  countStored,
  findFailing,
} from '../../services/system/series/count-stored.ts';
import { frameOf } from '../../services/system/series/series-frame.ts';
import { createClient } from '../../shared/db/pool.ts';
import { toSqlTime } from '../../shared/db/tables/read-model-names.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const HOUR_MS = 3_600_000;
const now = Date.parse('2026-03-01T12:00:30Z');
const frame = frameOf('1h', now);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  client = createClient({ url: database.url, applicationName: 'series-test' });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('series in Postgres', () => {
  it('have no numbers before the tables exist', async () => {
    const { changes, deliveriesOk } = await countStored(client, frame);
    expect(new Set([...changes, ...deliveriesOk])).toEqual(new Set([null]));
    expect(await findFailing(client, frame)).toEqual([]);
  });

  it('count changes and attempts by step with block range indexes', async () => {
    await ensureTables(client, { schema: 'annals', models: [], isIndexed: true });
    await ensureSecondaryTables(client, attemptTables);
    await ensureDays(client, 'attempts', [now, now - 24 * HOUR_MS]);
    // One change and one attempt for each second of a day; every tenth attempt failed, every hundredth has no request.
    await client.query(
      `insert into annals.record_history (entity_type, record_id, version, event, at_ms)
       select 'Account', 'a' || n, 1, repeat('x', 500)::bytea, $1::bigint - n * 1000
       from generate_series(86399, 0, -1) n`,
      [now],
    );
    await client.query(
      `insert into annals_webhooks.attempts
         (log_partition, log_offset, batch_id, webhook_id, attempt, at, outcome, duration_ms, events, entry)
       select 0, n, 'b' || n, 'w' || n % 2, 1, $1::timestamp - n * interval '1 second',
         case when n % 100 = 0 then 'dropped' when n % 10 = 0 then 'retry' else 'delivered' end, 1, 1, ''
       from generate_series(86399, 0, -1) n`,
      [toSqlTime(now)],
    );
    await client.query('vacuum (analyze) annals.record_history');
    await client.query('vacuum (analyze) annals_webhooks.attempts');

    const { changes, deliveriesOk, deliveriesFailed } = await countStored(client, frame);
    expect(changes.slice(0, 59)).toEqual(Array.from({ length: 59 }, () => 1));
    expect(deliveriesOk.slice(1, 10).every((rate) => rate === 0.9)).toBe(true);
    const failed = deliveriesFailed
      .slice(0, 59)
      .reduce<number>((sum, rate) => sum + Number(rate), 0);
    expect(failed).toBeCloseTo((354 - 35) / 60);
    expect(await findFailing(client, frame)).toEqual([{ webhookId: 'w0', failed: 322 }]);
    for (const statement of [changesBySteps(frame), attemptsBySteps(frame)]) {
      const { rows } = await client.query({ ...statement, text: `explain ${statement.text}` });
      expect(JSON.stringify(rows)).toContain('Bitmap Index Scan');
      expect(JSON.stringify(rows)).not.toContain('Seq Scan');
    }
  });

  it('ignore changes with an unknown time from an earlier version', async () => {
    await client.query('update annals.record_history set at_ms = null');
    const { changes } = await countStored(client, frame);
    expect(new Set(changes)).toEqual(new Set([0]));
  });
});
