import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxySignature } from '../../../shared/http/address/proxy-header.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { forwardConnections } from './forward-connections.ts';
import { ApiTarget } from './target.ts';

const silent = pino({ level: 'silent' });
const signature = createProxySignature('ab'.repeat(32));
const closers: (() => unknown)[] = [];

async function listen(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Delays responses to health checks while it is shut. */
class Gate {
  #isOpen = true;
  #waiting: (() => void)[] = [];

  shut(): void {
    this.#isOpen = false;
  }

  open(): void {
    this.#isOpen = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  pass(answer: () => void): void {
    if (this.#isOpen) answer();
    else this.#waiting.push(answer);
  }
}

/** Starts an api that sends its name to each connection once `answer` is called. */
async function startApi(name: string) {
  const gates = { '/livez': new Gate(), '/readyz': new Gate() };
  const holdUp = { ms: 0 };
  let answer = (): void => {};
  const isAnswering = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const internal = createServer(({ url }, response) => {
    const until = performance.now() + holdUp.ms;
    holdUp.ms = 0;
    while (performance.now() < until);
    gates[url as keyof typeof gates].pass(() => response.end());
  });
  const service = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    void isAnswering.then(() => socket.end(name));
  });
  const ports = { port: await listen(service), internalPort: await listen(internal) };
  const target = new ApiTarget({ host: '127.0.0.1', ...ports }, silent, isAnyAlive);
  closers.push(() => {
    target.close();
    internal.closeAllConnections();
  });
  const { '/livez': life, '/readyz': readiness } = gates;
  return { life, readiness, holdUp, target, answer: () => answer() };
}

type Api = Awaited<ReturnType<typeof startApi>>;

let first: Api;
let second: Api;
const isAnyAlive = (): boolean => first.target.isAlive || second.target.isAlive;
let port: number;

beforeEach(async () => {
  first = await startApi('first');
  second = await startApi('second');
  port = await listen(forwardConnections([first.target, second.target], signature));
});

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/**
 * Sends a request, and waits until it reaches the api. `answer` is the whole response, empty if the connection is cut.
 */
async function send({ target }: Api): Promise<{ readonly answer: Promise<string> }> {
  const before = target.load;
  const answer = text(connect({ port, host: '127.0.0.1' }));
  await eventually(() => expect(target.load).toBe(before + 1), { intervalMs: 2 });
  return { answer };
}

describe('the load balancer', () => {
  it('keeps the connections of a busy api and sends new ones to another api', async () => {
    const request = await send(first);
    first.life.shut();
    await eventually(() => expect(first.target.isReady).toBe(false), { intervalMs: 2 });
    await send(second);
    await send(second);
    first.life.open();
    await eventually(() => expect(first.target.isReady).toBe(true));
    first.answer();

    expect(await request.answer).toBe('first');
  });

  it('cuts the connections of a paused api within seconds', async () => {
    const request = await send(first);
    const begin = performance.now();
    first.life.shut();

    expect(await request.answer).toBe('');
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(first.target.isAlive).toBe(false);
    await send(second);
    await send(second);
    first.life.open();
    await eventually(() => expect(first.target.isReady).toBe(true));
    await send(first);
  });

  it('keeps and accepts connections while all apis are silent', async () => {
    const requests = [await send(first), await send(second)];
    for (const { life } of [first, second]) life.shut();
    for (const { target } of [first, second]) {
      await eventually(() => expect(target.isAlive).toBe(false));
    }
    requests.push(await send(first));
    second.answer();
    expect(await requests[1]?.answer).toBe('second');
    second.life.open();

    expect(await requests[0]?.answer).toBe('');
    expect(await requests[2]?.answer).toBe('');
  });

  it('keeps connections while no api is ready because Postgres does not respond', async () => {
    const request = await send(first);
    for (const { readiness } of [first, second]) readiness.shut();
    for (const { target } of [first, second]) {
      await eventually(() => expect(target.isReady).toBe(false));
    }
    await send(second);
    first.answer();

    expect(await request.answer).toBe('first');
  });

  it('does not treat an api as silent after the event loop was delayed', async () => {
    const request = await send(first);
    first.holdUp.ms = 1_000;
    await eventually(() => expect(first.holdUp.ms).toBe(0));
    await eventually(() => expect(first.target.isReady).toBe(true));
    first.answer();

    expect(await request.answer).toBe('first');
  });
});
