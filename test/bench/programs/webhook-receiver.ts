// The receiver of `delivery`: a plain node:http server that accepts everything and counts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverCounts, ReceiverRequest } from '../delivery/start-receiver.ts';
import { readBody } from '../load/read-body.ts';
import { sinceMarkMs } from '../load/time-mark.ts';
import { serveParent } from './serve-parent.ts';

/** Every event of a created Contact contains it exactly once. */
const eventMark = Buffer.from('"lastName":');

let counts = zeroCounts();
const server = createServer((request, response) => {
  readBody(request, (body) => {
    report(body);
    response.end();
  });
});
server.keepAliveTimeout = 60_000;

serveParent(async (request: ReceiverRequest) => {
  switch (request) {
    case 'listen':
      return listen();
    case 'reset':
      counts = zeroCounts();
      return counts;
    case 'count':
      return counts;
  }
});

function zeroCounts(): ReceiverCounts {
  return { requests: 0, events: 0, firstAt: 0, lastAt: 0, latenciesMs: [] };
}

async function listen(): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function report(body: Buffer): void {
  const now = performance.now();
  if (counts.requests === 0) counts.firstAt = now;
  counts.lastAt = now;
  counts.requests += 1;
  let at = body.indexOf(eventMark);
  for (; at !== -1; at = body.indexOf(eventMark, at + eventMark.length)) counts.events += 1;
  const latencyMs = sinceMarkMs(body);
  if (latencyMs !== undefined) counts.latenciesMs.push(latencyMs);
}
