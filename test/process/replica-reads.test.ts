import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { createPool } from '../../shared/db/pool.ts';
import { toMark } from '../../shared/installation/mark.ts';
import { storeMark } from '../../shared/installation/mark-table.ts';
import { createLifecycle, type Lifecycle } from '../../shared/runtime/lifecycle.ts';
import { createMetrics } from '../../shared/runtime/metrics.ts';
import { openReads, type Reads } from '../../shared/search/open-reads.ts';
import { openSearchPool } from '../../shared/search/open-search-pool.ts';
import { eventually } from '../support/eventually.ts';
import { startReplica } from '../support/harness/start-replica.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';
import { joinSockets } from '../support/join-sockets.ts';

const search = { connections: 2, timeoutMs: 2_000 };
const REFUSED = 'DATABASE_READ_URL does not point to a replica of Postgres: ';
const firstMark = toMark({ clusterId: 'cluster', topics: new Map() }, { sealed: true });

let database: TestDatabase;
let replica: Awaited<ReturnType<typeof startReplica>>;
let lifecycle: Lifecycle;
let lines: { readonly msg: string; readonly reason?: string }[];
const relays: Relay[] = [];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  await makeReadModel(database.url, 5);
  replica = await startReplica(database.url);
});

beforeEach(() => {
  lines = [];
});

afterEach(async () => {
  for (const relay of relays.splice(0)) relay.close();
  await lifecycle?.stop('the test is over');
});

afterAll(async () => {
  await replica?.stop();
  await database?.drop();
});

async function makeReadModel(url: string, offset: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`
      create schema annals;
      create table annals.positions (topic text, partition int, next_offset bigint, token text, sequence bigint, sealed bool);
      insert into annals.positions values ('records', 0, ${offset}, null, 0, true)`);
    await storeMark(client, firstMark);
  });
}

const onPrimary = (statement: string) =>
  withClient(database.url, async (client) => client.query(statement));

function open(readUrl: string) {
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = pino({ level: 'info' }, stream);
  lifecycle = createLifecycle(log, 5_000);
  const metrics = createMetrics('test');
  const deps = { lifecycle, metrics, log };
  const pool = createPool({ url: database.url, applicationName: 'primary', poolSize: 2 });
  lifecycle.opened('pool', () => pool.end());
  const searchPool = openSearchPool({ databaseUrl: database.url, search }, deps);
  const reads = openReads({
    config: { readUrl, search },
    primary: { pool, searchPool },
    applicationName: 'reads',
    poolSize: 4,
    ...deps,
  });
  const byReplica = async () =>
    Number(
      /annals_database_reads_total\{.*from="replica".*\} (\d+)/.exec(await metrics.text())?.[1],
    );
  return { reads, byReplica };
}

const IS_REPLICA = 'select pg_is_in_recovery() as answer';

async function readBoth(
  { pool, searchPool }: Reads,
  text = IS_REPLICA,
): Promise<readonly unknown[]> {
  const both = [pool, searchPool.of({ id: 'user' })].map(async (each) => {
    const { rows } = await each.query<{ answer: unknown }>({ text, values: [] });
    return rows[0]?.answer;
  });
  return Promise.all(both);
}

const untilUsed = (reads: Reads) =>
  eventually(async () => expect(await readBoth(reads)).toEqual([true, true]));

const reasons = () => lines.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));

/** A proxy to a server that may switch to another server, and can hang. */
interface Relay {
  readonly url: string;
  hang(): void;
  close(): void;
}

async function relay(toPort: (connection: number) => string): Promise<Relay> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(toPort(connections++)), '127.0.0.1');
    joinSockets(client, upstream, sockets);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(replica.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: Relay = {
    url: url.href,
    hang: () => {
      for (const socket of sockets) socket.pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  relays.push(made);
  return made;
}

const portOf = (url: string): string => new URL(url).port;

it('reads that fail only at the replica are repeated at the primary', async () => {
  const { reads } = open(replica.url);
  await untilUsed(reads);
  const broken = 'select 7 / (case when pg_is_in_recovery() then 0 else 1 end) as answer';
  expect(await readBoth(reads, broken)).toEqual([7, 7]);
  await expect(reads.pool.query({ text: 'select 1 / 0', values: [] })).rejects.toThrow('division');
  await untilUsed(reads);
});

it('a replica that never responds is logged', async () => {
  const nowhere = new URL(replica.url);
  nowhere.port = '1';
  const { reads } = open(nowhere.href);
  await eventually(() => expect(lines[0]?.msg).toBe('reads go to the primary'));
  expect(await readBoth(reads)).toEqual([false, false]);
});

it('the primary itself is rejected as a replica with the reason', async () => {
  const { reads, byReplica } = open(database.url);
  await eventually(() => expect(reasons()).toEqual([`${REFUSED}it accepts writes`]));
  await readBoth(reads);
  expect(await byReplica()).toBe(0);
});

it('another database is rejected as a replica regardless of its positions', async () => {
  const stranger = await createTestDatabase(database.url);
  try {
    await makeReadModel(stranger.url, 1_000);
    const url = new URL(new URL(stranger.url).pathname, replica.url).href;
    const name = async () => withClient(url, async (client) => client.query('select 1'));
    await eventually(name);
    const { reads } = open(url);
    await eventually(() => expect(reasons().join()).toContain(`${REFUSED}its database is test_`));
    expect(await readBoth(reads)).toEqual([false, false]);
    await lifecycle.stop('before its database goes');
  } finally {
    await stranger.drop();
  }
});

it('an address that leads to several servers is rejected as a replica', async () => {
  const { url } = await relay((connection) =>
    portOf(connection === 0 ? replica.url : database.url),
  );
  const { reads, byReplica } = open(url);
  await eventually(async () => {
    expect(await readBoth(reads)).toEqual([false, false]);
    expect(reasons()).toContain('DATABASE_READ_URL resolves to several servers');
  });
  expect(await byReplica()).toBe(0);
});

it('reads use the primary when the connection to the replica hangs', async () => {
  const way = await relay(() => portOf(replica.url));
  const { reads } = open(way.url);
  await untilUsed(reads);
  way.hang();
  const begin = performance.now();
  expect(await readBoth(reads)).toEqual([false, false]);
  expect(performance.now() - begin).toBeLessThan(4_000);
  const again = performance.now();
  expect(await readBoth(reads)).toEqual([false, false]);
  expect(performance.now() - again).toBeLessThan(500);
});

it('a replica whose log predates the accepted one is rejected', async () => {
  await replica.pause();
  await onPrimary('update annals.positions set next_offset = 2');
  await withClient(database.url, async (client) =>
    storeMark(client, { ...firstMark, generation: 2, revision: 2 }),
  );
  const { reads } = open(replica.url);
  const other = `${REFUSED}it contains the log of a different installation`;
  await eventually(() => expect(reasons()).toContain(other));
  expect(await readBoth(reads)).toEqual([false, false]);
  await replica.resume();
  await untilUsed(reads);
});

it('a promoted replica is no longer used', async () => {
  const { reads } = open(replica.url);
  await untilUsed(reads);
  await replica.query('select pg_promote()');
  await eventually(() => expect(reasons()).toContain(`${REFUSED}it accepts writes`));
});
