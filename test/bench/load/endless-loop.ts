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

/** Sends a request again when it is answered, whatever the answer is; counts the answers. */
export async function runEndlessLoop(spec: EndlessSpec): Promise<number> {
  const opening = Array.from({ length: spec.clients }, () => openConnection(spec));
  const connections = await Promise.all(opening);
  const request = Buffer.from(spec.request);
  let answers = 0;
  for (const connection of connections) {
    const send = (): void => connection.exchange(request, onAnswer);
    const onAnswer = (): void => {
      answers += 1;
      setTimeout(send, spec.pauseMs);
    };
    send();
  }
  await sleep(spec.durationMs);
  for (const connection of connections) connection.close();
  return answers;
}
