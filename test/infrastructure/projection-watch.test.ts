import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type ProjectionWatch, watchProjection } from '../../shared/db/projection-watch.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';
import { joinSockets } from '../support/join-sockets.ts';

let database: TestDatabase;
let server: Server;
let watch: ProjectionWatch;
const sockets = new Set<Socket>();

/** Puts a proxy in front of Postgres that can hang like a network failure. */
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  const { hostname, port } = new URL(database.url);
  server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    joinSockets(client, upstream, sockets);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = pino({ level: 'silent' });
  watch = watchProjection({ url: url.href, applicationName: 'watch-test' }, log);
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await watch?.close();
  await new Promise((resolve) => server?.close(resolve));
  await database?.drop();
});

const postgres = async () => (await watch.checks()).postgres;

it('the projection watch reports an outage and a recovery of Postgres within a second', async () => {
  await eventually(async () => expect(await postgres()).toBe(true));
  for (const socket of sockets) socket.pause();
  const begin = performance.now();
  expect(await Promise.all([postgres(), postgres()])).toEqual([false, false]);
  expect(performance.now() - begin).toBeLessThan(1_900);
  for (const socket of sockets) socket.resume();
  await eventually(async () => expect(await postgres()).toBe(true));
  for (const socket of sockets) socket.destroy();
  await eventually(async () => expect(await postgres()).toBe(false), { intervalMs: 1 });
  await eventually(async () => expect(await postgres()).toBe(true));
});
