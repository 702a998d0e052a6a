import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { errorCode } from '../operator-error.ts';

/** `free`, or the reason why nothing can listen there: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL` … */
export type PortVerdict = 'free' | (string & {});

// Below the range from which the kernel takes ports for outgoing connections, so that none of those
// takes a port of ours while its owner is being started again.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;
const MAX_TRIES = 200;

export async function judgePort(port: number, host = '127.0.0.1'): Promise<PortVerdict> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errorCode(error) ?? 'EUNKNOWN'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/**
 * One free port of the loopback interface for every name: the remembered one where it is still
 * free, else a new one. No two are the same, and no other process that asks here gets a new one while this one lives.
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
    if (!taken.has(candidate) && (await judgePort(candidate)) === 'free') {
      // Who is given ports in a file may be the child of who chose them.
      if ((await claim(candidate)) || candidate === preferred) return candidate;
    }
    candidate = randomPort();
  }
  throw new Error(`no free port between ${LOWEST_PORT} and ${HIGHEST_PORT} in ${MAX_TRIES} tries`);
}

/**
 * Seconds pass before somebody listens on a port that was chosen. Its namesake of UDP, which nobody here uses, tells
 * others meanwhile; the kernel gives it up with this process.
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
