import { randomInt } from 'node:crypto';
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
 * free, else a new one. No two are the same.
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
    if (!taken.has(candidate) && (await judgePort(candidate)) === 'free') return candidate;
    candidate = randomPort();
  }
  throw new Error(`no free port between ${LOWEST_PORT} and ${HIGHEST_PORT} in ${MAX_TRIES} tries`);
}

const randomPort = (): number => randomInt(LOWEST_PORT, HIGHEST_PORT);
