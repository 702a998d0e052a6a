// The receivers of `isolation`: endpoints with a port each, most of them healthy, some of them faulty.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointKind, ReceptionCounts, ReceptionRequest } from '../isolation/endpoints.ts';
import { readBody } from '../load/read-body.ts';
import { sinceMarkMs } from '../load/time-mark.ts';
import { serveParent } from './serve-parent.ts';

const DRIP_EVERY_MS = 500;

let counts = zeroCounts();

const listeners: Readonly<Record<EndpointKind, RequestListener>> = {
  healthy(request, response) {
    readBody(request, (body) => {
      const latencyMs = sinceMarkMs(body);
      if (latencyMs !== undefined) counts.healthyMs.push(latencyMs);
      response.end();
    });
  },
  hanging(request) {
    counts.faulty += 1;
    request.resume();
  },
  dripping(request, response) {
    counts.faulty += 1;
    request.resume();
    const timer = setInterval(() => response.write('.'), DRIP_EVERY_MS);
    response.once('close', () => clearInterval(timer));
  },
  /** Handles no request: the port is closed again, so connections are refused. */
  refusing() {},
};

serveParent(async (request: ReceptionRequest) => {
  if (request === 'count') return counts;
  if (request === 'reset') {
    counts = zeroCounts();
    return counts;
  }
  const urls: string[] = [];
  for (const kind of request) urls.push(await open(kind));
  return urls;
});

function zeroCounts(): ReceptionCounts {
  return { healthyMs: [], faulty: 0 };
}

async function open(kind: EndpointKind): Promise<string> {
  const server = createServer(listeners[kind]);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (kind === 'refusing') await close(server);
  return `http://127.0.0.1:${port}/`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
