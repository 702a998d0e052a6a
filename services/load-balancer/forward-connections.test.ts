import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { forwardConnections } from './forward-connections.ts';
import { ApiTarget } from './target.ts';

const silent = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];

async function listen(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Says that an api lives, or is ready, once it is let through. */
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

/** Answers each connection with its name, as soon as it is told to. */
async function startApi(name: string) {
  const gates = { '/livez': new Gate(), '/readyz': new Gate() };
  const holdUp = { ms: 0 };
  let answer = (): void => {};
  const told = new Promise<void>((resolve) => {
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
    void told.then(() => socket.end(name));
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
  port = await listen(forwardConnections([first.target, second.target]));
});

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A request that has reached an api: what comes back until the connection ends, nothing if it is cut. */
async function send({ target }: Api): Promise<{ readonly answer: Promise<string> }> {
  const before = target.load;
  const answer = text(connect({ port, host: '127.0.0.1' }));
  await eventually(() => expect(target.load).toBe(before + 1), { intervalMs: 2 });
  return { answer };
}

describe('the load balancer', () => {
  it('leaves a busy api what it has in hand, and gives what is new to the other one', async () => {
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

  it('cuts off a paused one within seconds', async () => {
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

  it('cuts and refuses nobody while all are silent, until one answers', async () => {
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

  it('cuts nobody off because no api is told by Postgres whether it is ready', async () => {
    const request = await send(first);
    for (const { readiness } of [first, second]) readiness.shut();
    for (const { target } of [first, second]) {
      await eventually(() => expect(target.isReady).toBe(false));
    }
    await send(second);
    first.answer();

    expect(await request.answer).toBe('first');
  });

  it('takes nobody for silent because it was held up itself', async () => {
    const request = await send(first);
    first.holdUp.ms = 1_000;
    await eventually(() => expect(first.holdUp.ms).toBe(0));
    await eventually(() => expect(first.target.isReady).toBe(true));
    first.answer();

    expect(await request.answer).toBe('first');
  });
});
