import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpAddress, openConnection } from './http-connection.ts';

export interface EndlessSpec extends HttpAddress {
  /** A complete HTTP request. */
  readonly request: string;
  readonly clients: number;
  /** Pause between a response and the next request, like the network latency of a distant client. */
  readonly pauseMs: number;
  readonly durationMs: number;
}

/**
 * Repeats a request after each response, whatever its status, on a new connection if the old one was closed;
 * returns the number of responses.
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

/** Runs until it is closed; returns the number of responses. */
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
