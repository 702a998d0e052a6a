import { connect, type Socket } from 'node:net';
import { percentile, rounded } from '../median.ts';

export interface LoadSpec {
  readonly host: string;
  readonly port: number;
  /** Whole HTTP requests, sent in turn. */
  readonly requests: readonly string[];
  /** Each has a connection of its own, and sends a request when the one before is answered. */
  readonly clients: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Run {
  readonly spec: LoadSpec;
  readonly requests: readonly Buffer[];
  readonly latenciesMs: number[];
  readonly measureFrom: number;
  readonly measureTo: number;
  turn: number;
}

/**
 * HTTP over bare sockets: it shares the machine with what it measures, and a real client costs as much as the server.
 * Any answer but 200 fails the run.
 */
export async function runClosedLoop(spec: LoadSpec): Promise<LoadFigures> {
  const sockets = await Promise.all(Array.from({ length: spec.clients }, () => open(spec)));
  const measureFrom = performance.now() + spec.warmUpMs;
  const run: Run = {
    spec,
    requests: spec.requests.map((request) => Buffer.from(request)),
    latenciesMs: [],
    measureFrom,
    measureTo: measureFrom + spec.measuredMs,
    turn: 0,
  };
  await Promise.all(sockets.map((socket) => runClient(run, socket)));
  return {
    perSecond: Math.round((run.latenciesMs.length / spec.measuredMs) * 1000),
    p50Ms: rounded(percentile(run.latenciesMs, 0.5), 2),
    p99Ms: rounded(percentile(run.latenciesMs, 0.99), 2),
  };
}

function open({ host, port }: LoadSpec): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function runClient(run: Run, socket: Socket): Promise<void> {
  let sentAt = 0;
  let pending: Buffer | undefined;

  function send(): void {
    const request = run.requests[run.turn++ % run.requests.length];
    sentAt = performance.now();
    if (request !== undefined) socket.write(request);
  }

  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      const received = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
      const verdict = judgeAnswer(received);
      pending = verdict === 'incomplete' ? received : undefined;
      if (verdict === 'incomplete') return;
      if (verdict === 'wrong') return reject(new Error(received.toString('utf8').slice(0, 1000)));
      const now = performance.now();
      if (now > run.measureFrom && now <= run.measureTo) run.latenciesMs.push(now - sentAt);
      if (now < run.measureTo) return send();
      socket.removeAllListeners('close');
      socket.destroy();
      resolve();
    });
    send();
  });
}

const OK = Buffer.from('HTTP/1.1 200');
const HEAD_END = Buffer.from('\r\n\r\n');

function judgeAnswer(received: Buffer): 'complete' | 'incomplete' | 'wrong' {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return 'incomplete';
  if (received.compare(OK, 0, OK.length, 0, OK.length) !== 0) return 'wrong';
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) return 'wrong';
  const missing = headEnd + HEAD_END.length + Number(length) - received.length;
  if (missing > 0) return 'incomplete';
  return missing === 0 ? 'complete' : 'wrong';
}
