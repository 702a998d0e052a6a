import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../shared/domain/mail/queued-email.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { createFaultWebhook } from './fault-webhook.ts';
import { createExamination, type Fault } from './report-faults.ts';

const fault: Fault = { key: 'k', part: 'Kafka', says: 'Kafka is away', remedy: 'start it' };

let server: Server;
let port: number;
let received: Record<string, unknown>[];
let status: number;
let faults: readonly Fault[];
let logged: string[];
let now: number;
let examine: () => Promise<void>;

beforeEach(async () => {
  received = [];
  status = 204;
  faults = [fault];
  logged = [];
  now = 10 * HOUR_MS;
  server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(status, { location: 'http://127.0.0.1/elsewhere' }).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
  const context = commandContext({
    clock: { now: () => now },
    config: {
      mail: undefined,
      faultsUrl: `http://127.0.0.1:${port}/hooks/secret-path`,
      publicUrl: 'https://annals.example.com',
    },
    directoryWriter: { isOwned: () => true },
    log: pino({ level: 'warn' }, { write: (line: string) => logged.push(line) }),
  });
  const parts = new Set(['Kafka']);
  examine = createExamination(
    context,
    async () => ({ faults, parts }),
    createFaultWebhook(context),
  );
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function examineAfter(ms: number): Promise<void> {
  now += ms;
  await examine();
}

describe('the webhook for faults', () => {
  it('receives a lasting fault once, and once more when it is gone', async () => {
    await examine();
    expect(received).toEqual([]);
    await examineAfter(60_000);
    await examineAfter(2 * HOUR_MS);
    expect(received).toEqual([
      {
        text: 'Problem: Kafka is away\nTo fix it: start it',
        id: 'k',
        phase: 'appeared',
        part: 'Kafka',
        says: 'Kafka is away',
        remedy: 'start it',
        at: '1970-01-01T10:01:00.000Z',
        url: 'https://annals.example.com/system',
      },
    ]);
    faults = [];
    await examineAfter(60_000);
    await examineAfter(2 * HOUR_MS);
    expect(received.slice(1)).toMatchObject([
      { text: 'Solved: Kafka is away', id: 'k', phase: 'gone', remedy: null },
    ]);
  });

  it('receives news again that it did not accept, and its address is not logged', async () => {
    await examine();
    for (status of [302, 500]) await examineAfter(60_000);
    expect(received.length).toBe(2);
    expect(logged.length).toBe(2);
    expect(logged.join('')).not.toContain('secret-path');
    status = 200;
    await examineAfter(60_000);
    await examineAfter(60_000);
    expect(received.length).toBe(3);
  });

  it('is asked again after its server was away', async () => {
    await once(server.close(), 'close');
    await examine();
    await examineAfter(60_000);
    expect(logged.length).toBe(1);
    expect(logged.join('')).not.toContain('secret-path');
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await examineAfter(60_000);
    expect(received.length).toBe(1);
  });
});
