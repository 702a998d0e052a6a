import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpAddress, openConnection } from './http-connection.ts';

export interface EndlessSpec extends HttpAddress {
  /** A whole HTTP request. */
  readonly request: string;
  readonly clients: number;
  /** Between an answer and the next request, as long as the way from and to somebody in another town. */
  readonly pauseMs: number;
  readonly durationMs: number;
}

/**
 * Sends a request again when it is answered, whatever the answer is, on a new connection where the old one was closed;
 * counts the answers.
 */
export async function runEndlessLoop(spec: EndlessSpec): Promise<number> {
  const over = new AbortController();
  const request = Buffer.from(spec.request);
  const clients = Array.from({ length: spec.clients }, async () => {
    let answers = 0;
    while (!over.signal.aborted) answers += await useConnection(spec, request, over.signal);
    return answers;
  });
  await sleep(spec.durationMs);
  over.abort();
  return (await Promise.all(clients)).reduce((sum, answers) => sum + answers, 0);
}

/** Until it is closed; answers how many answers came. */
async function useConnection(
  spec: EndlessSpec,
  request: Buffer,
  over: AbortSignal,
): Promise<number> {
  const connection = await openConnection(spec);
  const close = (): void => connection.close();
  over.addEventListener('abort', close);
  let answers = 0;
  while (connection.isOpen() && !over.aborted) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    over.addEventListener('abort', () => resolve(false), { once: true });
    connection.exchange(request, () => resolve(true));
    if (await promise) answers += 1;
    await sleep(spec.pauseMs);
  }
  connection.close();
  over.removeEventListener('abort', close);
  return answers;
}
