import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { tableName } from '../../shared/db/tables/read-model-names.ts';
import type { LoggedEvent } from '../../shared/events/log-entry.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { type MixedLoad, startMixedLoad } from '../support/mixed-load.ts';

const seed = Number(process.env['TOTALS_SEED'] ?? 1);
const topicPrefix = `totals-${process.pid}`;
const topics = topicNames(topicPrefix);
const patience = { timeoutMs: 60_000, intervalMs: 100 };
let product: StartedProduct;
let admin: ApiClient;
/** `reader` has a role that reads all records, `owner` one that reads only its own. */
let reader: ApiClient;
let owner: ApiClient;
let ownerId: string;

const named = () => ({ name: unique('n') });
const owned = () => ({ ...named(), assignedUserId: ownerId });
/** Types of the directory and of records, stock and custom, with owners and without. */
const types: Readonly<Record<string, () => object>> = {
  Account: owned,
  Contact: () => ({ lastName: unique('n') }),
  Task: owned,
  Case: named,
  Team: named,
  Crate: named,
  Keg: () => ({ lastName: unique('n') }),
};
const typeNames = Object.keys(types);

async function userWith(read: string): Promise<{ readonly id: string; readonly api: ApiClient }> {
  const data = Object.fromEntries(typeNames.map((name) => [name, { create: 'yes', read }]));
  delete data['Team'];
  const role = recordIn(await admin.post('/Role', { name: `reads ${read}`, data }));
  const user = { userName: `reads-${read}`, type: 'api', rolesIds: [role.id] };
  const { id, apiKey } = recordIn(await admin.post('/User', user));
  return { id, api: admin.as(withApiKey({ apiKey: String(apiKey) })) };
}

const createType = async (name: string, type: string) => {
  const answer = await admin.post('/EntityManager/action/createEntity', { name, type });
  expect(answer.status, answer.text).toBe(200);
};

beforeAll(async () => {
  product = await startProduct({
    env: {
      API_CUSTOM_PREFIX: 'taken',
      ANNALS_TOPIC_PREFIX: topicPrefix,
      ANNALS_API_INSTANCES: '2',
      ANNALS_PROJECTOR_INSTANCES: '2',
    },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
  await createType('Crate', 'BasePlus');
  await createType('Keg', 'Person');
  reader = (await userWith('all')).api;
  ({ id: ownerId, api: owner } = await userWith('own'));
  // One record per type, so that the tables exist.
  for (const [name, body] of Object.entries(types)) recordIn(await admin.post(`/${name}`, body()));
});

afterAll(async () => {
  admin?.close();
  await product?.remove();
});

interface Count {
  readonly type: string;
  readonly counted: number;
  readonly rows: number;
}

/** Reads counters and row counts in one statement, hence as of the same time. */
async function readCounts(): Promise<readonly Count[]> {
  const selects = typeNames.map(
    (name) => `select '${name}' as type,
      (select coalesce(sum(live), 0)::int from annals.entity_counts where entity_type = '${name}') as counted,
      (select count(*)::int from annals.${tableName(name)} where not deleted) as rows`,
  );
  return withClient(product.access().postgres.url, async (client) => {
    const { rows } = await client.query<Count>(selects.join(' union all '));
    return rows;
  });
}

/** Compares the counts repeatedly, whatever happens meanwhile. */
function watchCounts() {
  const wrong: Count[] = [];
  let looks = 0;
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const counts = await readCounts();
      looks += 1;
      wrong.push(...counts.filter(({ counted, rows }) => counted !== rows));
      await sleep(50);
    }
  })();
  return {
    async end() {
      isOver = true;
      await running;
      expect(wrong).toEqual([]);
      expect(looks).toBeGreaterThan(10);
    },
  };
}

/** Counts live records by their last events, from the log only. */
async function countLive(): Promise<ReadonlyMap<string, number>> {
  const log = createLogReader(product.access().kafka);
  const events = [...(await log.events(topics.directory)), ...(await log.events(topics.records))];
  await log.close();
  const last = new Map<string, LoggedEvent>();
  for (const event of events) last.set(`${event.entityType}/${event.recordId}`, event);
  const live = [...last.values()].filter(({ type }) => type !== 'Deleted');
  return new Map(
    [...Map.groupBy(live, ({ entityType }) => entityType)].map(([name, ones]) => [
      name,
      ones.length,
    ]),
  );
}

const totalOf = async (api: ApiClient, name: string) =>
  listIn(await api.get(`/${name}?maxSize=1`)).total;

/** Reads all pages. */
async function listAll(name: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const { list } = listIn(await admin.get(`/${name}?maxSize=100&offset=${ids.length}`));
    if (list.length === 0) return ids;
    ids.push(...list.map(({ id }) => id));
  }
}

async function countOwned(name: string): Promise<number> {
  return withClient(product.access().postgres.url, async (client) => {
    const { rows } = await client.query<{ owned: number }>(
      `select count(*)::int as owned from annals.${tableName(name)}
       where not deleted and assigned_user_id = $1`,
      [ownerId],
    );
    return rows[0]?.owned ?? -1;
  });
}

/** Must not be called during concurrent writes. */
async function proveTotals(): Promise<void> {
  const live = await countLive();
  for (const { type, counted, rows } of await readCounts()) {
    const expected = live.get(type) ?? 0;
    expect({ type, counted, rows }).toEqual({ type, counted: expected, rows: expected });
    expect(await totalOf(admin, type), type).toBe(expected);
    const ids = await listAll(type);
    expect(new Set(ids).size, type).toBe(expected);
    expect(ids.length, type).toBe(expected);
    if (type !== 'Team') expect(await totalOf(reader, type), type).toBe(expected);
  }
  for (const type of ['Account', 'Task']) {
    const found = await countOwned(type);
    expect(found).toBeGreaterThan(1);
    expect(await totalOf(owner, type)).toBe(found);
  }
}

async function annals(...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runCli([...args, '--data-dir', product.dataDir], {
    ANNALS_TOPIC_PREFIX: topicPrefix,
    ...toKafkaVariables(product.access().kafka),
    DATABASE_URL: product.access().postgres.url,
  });
  expect(code, stdout + stderr).toBe(0);
}

async function progress(load: MixedLoad, count: number): Promise<void> {
  const goal = load.done() + count;
  await eventually(() => expect(load.done()).toBeGreaterThanOrEqual(goal), patience);
}

describe(`totals (seed ${seed})`, () => {
  it('equal the row counts at every moment of writes, kills and rebuilds', {
    timeout: 480_000,
  }, async () => {
    const watch = watchCounts();
    const load = startMixedLoad({ api: admin, seed, types });
    await progress(load, 150);
    for (const projector of ['projector', 'projector2']) {
      product.kill(projector);
      await progress(load, 150);
      await product.waitUntilReady(projector);
    }
    await annals('rebuild');
    await progress(load, 100);
    await load.stop();
    await watch.end();

    expect(load.complaints).toEqual([]);
    expect([...load.requests.keys()].toSorted()).toEqual([
      'create',
      'delete',
      'mass delete',
      'merge',
      'restore',
      'update',
    ]);
    await annals('verify');
    await proveTotals();
    await annals('rebuild');
    await annals('verify');
    await proveTotals();
  });

  it('equal the row counts of a removed custom type and of the restored type', async () => {
    const before = await totalOf(admin, 'Keg');
    expect(before).toBeGreaterThan(0);
    await admin.post('/EntityManager/action/removeEntity', { name: 'Keg' });
    expect((await admin.get('/Keg')).status).toBe(404);
    await annals('rebuild');
    await createType('Keg', 'Person');

    await eventually(async () => expect(await totalOf(admin, 'Keg')).toBe(before), patience);
    await proveTotals();
  });
});
