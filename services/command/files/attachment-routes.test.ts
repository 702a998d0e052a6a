import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { registerAttachmentRoutes } from './attachment-routes.ts';

const MIB = 1024 * 1024;
const levels = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
let unattachedBytes = 0;
let port = 0;

/** Returns a user with the key as id. The user `nothing` has no role. */
function actorOf(key: string) {
  const values = { data: { Case: levels }, fieldData: {} };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const user = { id: key, name: key, userName: key, type: 'api' as const, teamIds: [] };
  return buildActor(user, key === 'nothing' ? [] : [role]);
}

beforeAll(async () => {
  const context = commandContext({
    authenticate: async ({ headers }: FastifyRequest) => actorOf(String(headers['x-api-key'])),
    directory: createDirectory(stockDefinitions),
    pool: { query: async () => ({ rows: [{ bytes: unattachedBytes }] }) as never },
    config: { maxUploadBytes: 3 * MIB, maxStreamedBytes: 5 * MIB, maxUnattachedBytes: 10 * MIB },
    now: Date.now,
    timeoutMs: 1_000,
    putFile: async () => undefined,
    scanFile: async () => undefined,
    // These tests only cover the steps before the record is decided.
    sender: senderOf(async () => {
      throw new Refusal('conflict', 'record.exists', 'The upload has arrived.');
    }),
  });
  registerAttachmentRoutes(server, context);
  await server.listen({ port: 0 });
  port = (server.server.address() as AddressInfo).port;
});
afterAll(async () => server.close());

/** Announces a large file and sends only one byte. Resolves to the status line of the response. */
async function stall(key: string): Promise<string> {
  const socket = connect(port);
  let response = '';
  socket.on('data', (chunk) => {
    response += String(chunk);
    if (response.includes('\r\n\r\n')) socket.destroy();
  });
  const head = ['POST /api/v1/Attachment HTTP/1.1', 'Host: x', `X-Api-Key: ${key}`];
  const body = ['Content-Type: application/json', 'Content-Length: 2000000', '', '{'];
  socket.write([...head, ...body].join('\r\n'));
  await once(socket, 'close');
  return response.split('\r\n', 1)[0] ?? '';
}

async function upload(key: string, bytes: number) {
  const file = `data:text/plain;base64,${Buffer.alloc(bytes).toString('base64')}`;
  const body = { name: 'a.txt', parentType: 'Case', field: 'attachments', file };
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/Attachment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const arrived = { status: 409, body: { code: 'record.exists' } };

it('rejects stalled uploads with 408 and keeps places free for other users', async () => {
  const stalled = Array.from({ length: 4 }, () => stall('hostile'));
  expect(await upload('victim', 1.5 * MIB)).toMatchObject(arrived);
  expect(await upload('victim', 2 * MIB)).toMatchObject(arrived);
  expect(new Set(await Promise.all(stalled))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  expect(await upload('hostile', 1.5 * MIB)).toMatchObject(arrived);
}, 40_000);

it('rejects a user without a role before the body arrives', async () => {
  expect(await stall('nothing')).toBe('HTTP/1.1 403 Forbidden');
});

it("rejects an upload when the user's unattached files have reached the quota", async () => {
  unattachedBytes = 10 * MIB;
  expect(await upload('user', 10)).toMatchObject({ status: 413, body: { code: 'file.quota' } });
  unattachedBytes = 0;
  expect(await upload('user', 10)).toMatchObject(arrived);
});
