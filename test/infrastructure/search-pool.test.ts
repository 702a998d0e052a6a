import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { attemptTables } from '../../services/projector/attempts/attempt-tables.ts';
import { ensureSecondaryTables } from '../../services/projector/secondary/positions.ts';
import { createPool } from '../../shared/db/pool.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { type SearchPool, shareSearches } from '../../shared/search/open-search-pool.ts';
import { runStatement } from '../../shared/search/run-statement.ts';
import { SearchTurns } from '../../shared/search/search-turns.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeHistory } from './query-history-example.ts';

const [greedy, other] = [{ id: 'greedy' }, { id: 'other' }];

/** Opens four connections whose statements time out after `timeoutMs`. */
function openPool(timeoutMs: number) {
  const pool = createPool({
    url: inject('databaseUrl'),
    applicationName: 'search-test',
    poolSize: 4,
    statementTimeoutMs: timeoutMs,
    isSerial: true,
  });
  const turns = new SearchTurns({
    capacity: 4,
    maxWaitMs: 60_000,
    slowAfterMs: 250,
    now: () => performance.now(),
  });
  return {
    searches: shareSearches(pool, turns, pino({ level: 'silent' })),
    end: async () => pool.end(),
  };
}

const sleeping = 'select pg_sleep(600) as search_pool_test';

async function endSleeping(): Promise<void> {
  await withClient(inject('databaseUrl'), (client) =>
    client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where query = $1 and pid <> pg_backend_pid()',
      [sleeping],
    ),
  );
}

async function run(searches: SearchPool, user: { readonly id: string }, text: string) {
  return runStatement(searches.of(user), { text }, []);
}

describe('searches of several users', () => {
  it('continue while the searches of one user hang', async () => {
    const { searches, end } = openPool(600_000);
    let ended = 0;
    const slow = Array.from({ length: 8 }, async () =>
      run(searches, greedy, sleeping).catch((error: unknown) => {
        ended += 1;
        return error;
      }),
    );
    for (let count = 0; count < 15; count++) {
      expect(await run(searches, other, 'select 1 as one')).toEqual([{ one: 1 }]);
    }
    expect(ended).toBe(0);
    while (ended < slow.length) await endSleeping();
    await end();
  });

  it('are rejected with a time to retry when they take too long', async () => {
    const { searches, end } = openPool(50);
    await expect(run(searches, greedy, 'select pg_sleep(60)')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'list.too_slow',
      detail: { retryAfterSeconds: 10 },
    });
    await end();
  });

  it('release their turn when they fail', async () => {
    const { searches, end } = openPool(60_000);
    for (let count = 0; count < 10; count++) {
      await expect(run(searches, greedy, 'select 1 / 0')).rejects.toThrow('division by zero');
    }
    expect(await run(searches, greedy, 'select 1 as one')).toEqual([{ one: 1 }]);
    await end();
  });

  it('use no parallel workers', async () => {
    const { searches, end } = openPool(60_000);
    const text = 'show max_parallel_workers_per_gather';
    expect(await run(searches, other, text)).toEqual([{ max_parallel_workers_per_gather: '0' }]);
    await end();
  });
});

describe('search turns', () => {
  let example: QueryExample;
  let longLived: string;
  const headers = { 'x-actor': 'reader' };

  beforeAll(async () => {
    example = await startQueryExample(inject('databaseUrl'));
    await example.createTables();
    const all = { read: 'all', stream: 'all' };
    const scopes = { Activities: true, Calendar: true, GlobalStream: true, Webhook: true };
    example.addActorWithRole('reader', { Account: all, Contact: all, Meeting: all, ...scopes });
    example.addToDirectory('Webhook', 'w1', {
      event: 'Account.create',
      url: 'https://a',
      userId: 'reader',
    });
    const client = await example.pool.connect();
    await ensureSecondaryTables(client, attemptTables);
    client.release();
    const created = aCreation('Account', { name: 'Acme' });
    await storeHistory(example, [{ ...created, recordId: 'a1' }]);
    longLived = await storeHistory(example, aLongLife(150));
  });
  afterAll(async () => example.close());

  function aLongLife(versions: number): readonly RecordEvent[] {
    const events = [aCreation('Account', { name: 'Old' })];
    for (let version = 2; version <= versions; version++) {
      const [last] = events.slice(-1);
      if (last !== undefined) events.push(anUpdateAfter(last, { sicCode: `${version}` }));
    }
    return events;
  }

  async function searchersOf(path: string): Promise<readonly string[]> {
    example.takeSearchers();
    const { status, text } = await example.get(path, headers);
    expect(status, text).toBe(200);
    return [...new Set(example.takeSearchers())];
  }

  it.each([
    '/Account?offset=1',
    '/Account?orderBy=website',
    '/Account?orderBy=assignedUser',
    '/Account?textFilter=Acme',
    '/Account?boolFilterList[]=onlyMy',
    '/Account?maxTextAttributeLength=5',
    `/Account?where=${JSON.stringify([{ type: 'equals', attribute: 'name', value: 'Acme' }])}`,
    '/Account/a1/contacts',
    '/GlobalSearch?q=Acme',
    '/Activities/upcoming',
    '/Activities/Account/a1/activities',
    '/Activities/Account/a1/history/list/Meeting',
    '/Activities?from=2030-01-01&to=2030-02-01',
    '/Stream',
    '/GlobalStream',
    '/Account/a1/posts',
    '/Account/a1/streamAttachments',
    '/Webhook/w1/deliveries?state=dead',
    '/Webhook/w1/attempts?offset=100000',
  ])('are taken by %s', async (path) => {
    expect(await searchersOf(path)).toEqual(['reader']);
  });

  it('are taken by reads of a past state with many versions', async () => {
    const path = `/Account/${longLived}?asOf=2099-01-01T00:00:00Z`;
    expect(await searchersOf(path)).toEqual(['reader']);
  });

  it.each(['/Account', '/Account?orderBy=name', '/Account?orderBy=createdAt', '/Account/a1'])(
    'are not taken by the cheap read %s',
    async (path) => {
      expect(await searchersOf(path)).toEqual([]);
    },
  );
});
