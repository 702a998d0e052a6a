import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { errorCode } from '../operator-error.ts';

/** `free`, or the reason why a program cannot listen there: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL` … */
export type PortState = 'free' | (string & {});

// Below the range from which the kernel assigns ports to outgoing connections, so that no connection takes one of
// these ports while its owner is restarted.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;
const MAX_TRIES = 200;

export async function probePort(port: number, host = '127.0.0.1'): Promise<PortState> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errorCode(error) ?? 'EUNKNOWN'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/**
 * Returns one free port on the loopback interface for every name: the remembered port if it is still free, otherwise a
 * new one. All ports are different, and no other caller gets the same new port while this process lives.
 */
export async function choosePorts<Name extends string>(
  names: readonly Name[],
  remembered: Readonly<Partial<Record<Name, number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const chosen = new Map<Name, number>();
  for (const name of names) {
    chosen.set(name, await choosePort(remembered[name], new Set(chosen.values())));
  }
  return Object.fromEntries(chosen) as Record<Name, number>;
}

async function choosePort(
  preferred: number | undefined,
  taken: ReadonlySet<number>,
): Promise<number> {
  let candidate = preferred ?? randomPort();
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (!taken.has(candidate) && (await probePort(candidate)) === 'free') {
      // A process may receive its ports from its parent in a file; the parent has then already claimed them.
      if ((await claim(candidate)) || candidate === preferred) return candidate;
    }
    candidate = randomPort();
  }
  throw new Error(
    `no free port between ${LOWEST_PORT} and ${HIGHEST_PORT} after ${MAX_TRIES} attempts`,
  );
}

/**
 * Claims a port, because seconds pass before a server listens on it. Uses the UDP port with the same number, which
 * Annals does not need otherwise; the kernel releases it with this process.
 */
async function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

const randomPort = (): number =>
  LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
