import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The state of the network between a pair. */
export type Weather =
  | { readonly kind: 'fine' }
  /** Open connections break; new ones are refused. */
  | { readonly kind: 'refuse' }
  /** Connections are accepted, but no data is forwarded. */
  | { readonly kind: 'blackhole' }
  /** All data is delayed. */
  | { readonly kind: 'slow'; readonly ms: number };

export interface PairProxy {
  readonly port: number;
  set(weather: Weather): void;
  /** Breaks open connections; new ones work. */
  reset(): void;
  close(): void;
}

/** Proxies connections between one process and one port of another, on the loopback interface. */
export async function startPairProxy(port: number, target: number): Promise<PairProxy> {
  const open = new Set<Socket>();
  let weather: Weather = { kind: 'fine' };

  const relay = async (from: Socket, to: Socket): Promise<void> => {
    for await (const data of from as AsyncIterable<Buffer>) {
      if (weather.kind === 'slow') await sleep(weather.ms);
      // Like a cut network: neither data nor the end of the connection arrives.
      while (weather.kind === 'blackhole' && !from.destroyed) await sleep(50);
      to.write(data);
    }
    to.end();
  };

  let isClosed = false;

  /** Refused connections require a closed port, so the server stops listening. */
  const beRefused = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    while (!isClosed && !(await answers(target))) await sleep(20);
    if (!isClosed) await listen();
  };
  const listen = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (weather.kind === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    upstream.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') void beRefused();
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.setNoDelay();
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      relay(one, other).catch(() => other.destroy());
    }
  });
  await listen();
  const reset = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port,
    set(next) {
      weather = next;
      if (next.kind === 'refuse') reset();
    },
    reset,
    close() {
      isClosed = true;
      server.close();
      reset();
    },
  };
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
