import type { Client } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { collectSeries } from '../../services/projector/series/collect-series.ts';
import { readProcess } from '../../services/projector/series/read-process.ts';
import {
  ensureSampleTables,
  storeSample,
  thinSamples,
} from '../../services/projector/series/sample-tables.ts';
import { readSeries } from '../../services/system/series/read-series.ts';
import { createClient } from '../../shared/db/pool.ts';
import { readSamples, type SeriesSample } from '../../shared/series/sample.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const now = Date.parse('2026-03-01T12:00:00Z');
const all = { after: 0, until: Number.MAX_SAFE_INTEGER };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  client = await connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

async function connect(): Promise<Client> {
  const one = createClient({ url: database.url, applicationName: 'series-test' });
  await one.connect();
  return one;
}

function aSample(at: number, changes: number): SeriesSample {
  const latency = { '0.1': changes };
  return { at, seconds: 30, counts: { changes }, gauges: { lagEntries: changes }, latency };
}

describe('samples', () => {
  beforeEach(async () => ensureSampleTables(client));

  it('are stored once per step, even by several processes', async () => {
    await storeSample(client, aSample(now, 1));
    await storeSample(client, aSample(now, 2));
    expect(await readSamples(client, all)).toEqual([aSample(now, 1)]);
  });

  it('are merged per half hour after two days, even concurrently, and deleted after a month', async () => {
    const old = now - 3 * DAY_MS;
    const within = [old + MINUTE_MS, old + 2 * MINUTE_MS, old + 30 * MINUTE_MS];
    for (const [index, at] of within.entries()) await storeSample(client, aSample(at, index + 1));
    await storeSample(client, aSample(old + 31 * MINUTE_MS, 9));
    await storeSample(client, aSample(now - DAY_MS, 4));
    await storeSample(client, aSample(now - DAY_MS + MINUTE_MS, 5));
    await storeSample(client, aSample(now - 32 * DAY_MS, 7));
    const other = await connect();
    await Promise.all([thinSamples(client, now), thinSamples(other, now)]).finally(() =>
      other.end(),
    );
    expect(await readSamples(client, all)).toEqual([
      {
        at: old + 30 * MINUTE_MS,
        seconds: 90,
        counts: { changes: 6 },
        gauges: { lagEntries: 3 },
        latency: { '0.1': 6 },
      },
      aSample(old + 31 * MINUTE_MS, 9),
      aSample(now - DAY_MS, 4),
      aSample(now - DAY_MS + MINUTE_MS, 5),
    ]);
  });
});

describe('series', () => {
  it('are empty before the first measurement', async () => {
    const { series, failing } = await readSeries(client, '7d', now);
    expect(series.changes).toEqual(Array.from({ length: 168 }, () => null));
    expect(failing).toEqual([]);
  });
});

describe('the collector', () => {
  it('continues after an outage, without a row for the unmeasured time', async () => {
    let appended = 0;
    let isAway = true;
    const collector = collectSeries({
      readProcesses: async () => {
        appended += 1;
        const text = [
          '# TYPE process_start_time_seconds gauge',
          'process_start_time_seconds 1',
          '# TYPE annals_writer_append_events histogram',
          `annals_writer_append_events_sum ${appended}`,
        ].join('\n');
        return new Map([['http://127.0.0.1:1', readProcess(text)]]);
      },
      connect: async () => {
        if (!isAway) return connect();
        if (appended > 3) isAway = false;
        throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      },
      hasRoom: () => true,
      everyMs: 50,
      log: pino({ level: 'silent' }),
    });
    try {
      collector.assign(true);
      await eventually(async () => {
        const [first, second] = await readSamples(client, all).catch(() => []);
        expect(first?.counts.changes).toBeGreaterThan(2);
        expect(second?.counts.changes).toBeGreaterThan(0);
      });
    } finally {
      await collector.close();
    }
  });
});
