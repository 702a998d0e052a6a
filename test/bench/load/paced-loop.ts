import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import { toHttpRequest } from './to-http-request.ts';

export interface PacedSpec {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly apiKey: string;
  /** Attribute that carries the time of sending, see `markTime`. */
  readonly timeAttribute: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly perSecond: number;
  readonly durationMs: number;
}

const CONNECTIONS = 64;
const TICK_MS = 1;

/** POSTs at a steady rate, whatever the answers take; answers how many were sent. */
export async function runPacedLoop(spec: PacedSpec): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(spec)));
  const total = Math.round((spec.perSecond * spec.durationMs) / 1000);
  const start = performance.now();
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, ((performance.now() - start) * spec.perSecond) / 1000);
    for (; sent < due; sent++) sockets[sent % CONNECTIONS]?.write(toRequest(spec));
    await sleep(TICK_MS);
  }
  await sleep(500);
  for (const socket of sockets) socket.destroy();
  return sent;
}

/** What processes on one machine have in common: the monotonic clock. */
export function markTime(): string {
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

function open({ host, port }: PacedSpec): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
    socket.resume();
  });
}
