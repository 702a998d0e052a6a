import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpAddress, openConnection } from './http-connection.ts';
import { markTime } from './time-mark.ts';
import { toHttpRequest } from './to-http-request.ts';

export interface PacedSpec extends HttpAddress {
  readonly path: string;
  readonly apiKey: string;
  /** Attribute that contains the time of sending, see `markTime`. */
  readonly timeAttribute: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly perSecond: number;
  readonly durationMs: number;
}

/** Enough connections that, at 200 requests a second, each one is free when its turn comes. */
const CONNECTIONS = 64;
const TICK_MS = 1;
const LAST_ANSWERS_MS = 500;

/** Sends POSTs at a steady rate, whatever the response times; returns their number. */
export async function runPacedLoop(spec: PacedSpec): Promise<number> {
  const opening = Array.from({ length: CONNECTIONS }, () => openConnection(spec));
  const connections = await Promise.all(opening);
  const total = Math.round((spec.perSecond * spec.durationMs) / 1000);
  const startedAt = performance.now();
  let failure: Error | undefined;
  const onAnswer = (error?: Error): void => {
    failure ??= error;
  };
  for (let sent = 0; sent < total; await sleep(TICK_MS)) {
    if (failure !== undefined) throw failure;
    const due = Math.min(total, ((performance.now() - startedAt) * spec.perSecond) / 1000);
    for (; sent < due; sent++) connections[sent % CONNECTIONS]?.exchange(toRequest(spec), onAnswer);
  }
  await sleep(LAST_ANSWERS_MS);
  for (const connection of connections) connection.close();
  return total;
}

function toRequest({ path, apiKey, body, timeAttribute }: PacedSpec): string {
  const marked = { ...body, [timeAttribute]: markTime() };
  return toHttpRequest({ method: 'POST', path, apiKey, body: marked });
}
