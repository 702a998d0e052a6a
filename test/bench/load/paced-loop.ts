import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpAddress, openConnection } from './http-connection.ts';
import { toHttpRequest } from './to-http-request.ts';

export interface PacedSpec extends HttpAddress {
  readonly path: string;
  readonly apiKey: string;
  /** Attribute that carries the time of sending, see `markTime`. */
  readonly timeAttribute: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly perSecond: number;
  readonly durationMs: number;
}

/** So many that at 200 a second each is free again when its turn comes. */
const CONNECTIONS = 64;
const TICK_MS = 1;
const LAST_ANSWERS_MS = 500;

/** POSTs at a steady rate, whatever the answers take; answers how many were sent. */
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

/** What processes on one machine have in common: the monotonic clock. */
function markTime(): string {
  return `t=${process.hrtime.bigint()};`;
}

/** Milliseconds since a mark within these bytes was made; undefined without one. */
export function sinceMarkMs(bytes: Buffer): number | undefined {
  const start = bytes.indexOf('t=');
  const end = bytes.indexOf(';', start);
  if (start === -1 || end === -1) return undefined;
  const text = bytes.toString('latin1', start + 2, end);
  return /^\d+$/.test(text) ? Number(process.hrtime.bigint() - BigInt(text)) / 1e6 : undefined;
}

function toRequest({ path, apiKey, body, timeAttribute }: PacedSpec): string {
  const marked = { ...body, [timeAttribute]: markTime() };
  return toHttpRequest({ method: 'POST', path, apiKey, body: marked });
}
