import type { QueryResult } from 'pg';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { noFollowing } from '../../../shared/domain/stream/following.ts';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import { queryContext } from '../../../test/support/builders/query-context.ts';
import { registerRecordRoutes } from './record-routes.ts';

const admin = buildActor({ id: 'a', name: 'a', userName: 'a', type: 'admin', teamIds: [] }, []);
const withoutRoles = buildActor(
  { id: 'n', name: 'n', userName: 'n', type: 'regular', teamIds: [] },
  [],
);

/** Starts a server on which every record is named Acme and has version 7. */
function startServer() {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  const columns = { id: 'a1', name: 'Acme', deleted: false, version: 7, $readable: true };
  const row = (text: string) => {
    const selected = text.slice(0, text.indexOf(' from "annals"."account" r '));
    const names = [...selected.matchAll(/(?: as "|r\.)([$\w]+)"?(?=,| *$)/g)].map(
      ([, name]) => name,
    );
    return names.map((name) => new Map(Object.entries(columns)).get(name ?? '') ?? null);
  };
  const pool = {
    query: async ({ text }: { readonly text: string }) =>
      ({ rows: [row(text)] }) as unknown as QueryResult<never>,
  };
  const context = queryContext({
    pool,
    searchPool: { of: () => pool, prepare: (text) => ({ text }) },
    authenticate: async ({ headers }) => (headers['x-nobody'] === undefined ? admin : withoutRoles),
  });
  registerRecordRoutes(server, context);
  return async (method: 'GET' | 'HEAD', headers: Readonly<Record<string, string>>) =>
    server.inject({ method, url: '/api/v1/Account/a1', headers });
}

describe('a single read', () => {
  const read = startServer();

  it.each(['GET', 'HEAD'] as const)(
    'returns 304 to a %s if the client has this version',
    async (method) => {
      const answer = await read(method, { 'if-none-match': 'W/"v1", W/"v7"' });

      expect(answer.statusCode).toBe(304);
      expect(answer.headers['etag']).toBe('"v7"');
      expect(answer.body).toBe('');
      expect(answer.headers).not.toHaveProperty('content-type');
    },
  );

  it.each(['"v8"', '"7"', 'v7', '"v7', '*, "v7"', '"v07x"', ''])(
    'returns the record with If-None-Match: %s',
    async (tags) => {
      const answer = await read('GET', { 'if-none-match': tags });

      expect(answer.statusCode).toBe(200);
      expect(answer.headers['etag']).toBe('"v7"');
      expect(answer.json()).toMatchObject({
        id: 'a1',
        name: 'Acme',
        deleted: false,
        ...noFollowing,
      });
    },
  );

  it.each(['"v7"', '"v1", "other", W/"v7"', '*', ' * '])(
    'returns 304 with If-None-Match: %s',
    async (tags) => {
      expect((await read('GET', { 'if-none-match': tags })).statusCode).toBe(304);
    },
  );

  it('returns the headers of the record to a HEAD request', async () => {
    const [head, get] = [await read('HEAD', {}), await read('GET', {})];

    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it('never returns 304 to users who may not read the record', async () => {
    const answer = await read('GET', { 'if-none-match': '*', 'x-nobody': 'yes' });

    expect(answer.statusCode).toBe(403);
    expect(answer.headers).not.toHaveProperty('etag');
  });
});
