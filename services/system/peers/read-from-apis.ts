import type { Logger } from 'pino';

export interface OtherApis {
  /** The addresses of their internal listeners. */
  readonly addresses: readonly string[];
  readonly internalToken: string;
  readonly log: Logger;
}

const TIMEOUT_MS = 1_500;

/** Requests what other apis keep in memory. An api that does not respond is missing. */
export async function readFromApis<Answer>(
  { addresses, internalToken, log }: OtherApis,
  path: string,
): Promise<readonly Answer[]> {
  const headers = { authorization: `Bearer ${internalToken}` };
  const found = await Promise.all(
    addresses.map(async (address) => {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await fetch(new URL(path, address), { headers, signal, redirect: 'error' });
        return answer.ok ? [(await answer.json()) as Answer] : [];
      } catch (err) {
        log.debug({ err, address, path }, 'cannot read from an api');
        return [];
      }
    }),
  );
  return found.flat();
}
