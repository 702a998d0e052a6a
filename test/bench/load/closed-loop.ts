import { percentile, rounded } from '../median.ts';
import { type HttpAddress, type HttpConnection, openConnection } from './http-connection.ts';

export interface LoadSpec extends HttpAddress {
  /** Complete HTTP requests, sent in turn. */
  readonly requests: readonly string[];
  /** Each has its own connection, and sends a request after the previous response. */
  readonly clients: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

interface Run {
  readonly requests: readonly Buffer[];
  readonly latenciesMs: number[];
  readonly measureFrom: number;
  readonly measureTo: number;
  turn: number;
}

/** Throws for any response other than 200. */
export async function runClosedLoop(spec: LoadSpec): Promise<LoadFigures> {
  const opening = Array.from({ length: spec.clients }, () => openConnection(spec));
  const connections = await Promise.all(opening);
  const measureFrom = performance.now() + spec.warmUpMs;
  const run: Run = {
    requests: spec.requests.map((request) => Buffer.from(request)),
    latenciesMs: [],
    measureFrom,
    measureTo: measureFrom + spec.measuredMs,
    turn: 0,
  };
  await Promise.all(connections.map((connection) => runClient(run, connection)));
  return {
    perSecond: Math.round((run.latenciesMs.length / spec.measuredMs) * 1000),
    p50Ms: rounded(percentile(run.latenciesMs, 0.5), 2),
    p95Ms: rounded(percentile(run.latenciesMs, 0.95), 2),
    p99Ms: rounded(percentile(run.latenciesMs, 0.99), 2),
  };
}

function runClient(run: Run, connection: HttpConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = performance.now();
    const send = (): void => {
      sentAt = performance.now();
      connection.exchange(nextRequest(run), onAnswer);
    };
    const onAnswer = (error?: Error): void => {
      const now = performance.now();
      if (error === undefined) {
        noteLatency(run, now, now - sentAt);
        if (now < run.measureTo) {
          send();
          return;
        }
      }
      connection.close();
      if (error === undefined) resolve();
      else reject(error);
    };
    send();
  });
}

function noteLatency({ measureFrom, measureTo, latenciesMs }: Run, at: number, ms: number): void {
  if (at > measureFrom && at <= measureTo) latenciesMs.push(ms);
}

function nextRequest(run: Run): Buffer {
  const request = run.requests[run.turn++ % run.requests.length];
  if (request === undefined) throw new Error('the load needs at least one request');
  return request;
}
