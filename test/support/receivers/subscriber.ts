import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes of the body. */
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Subscriber {
  /** `host:port`, for WEBHOOK_ALLOWED_ADDRESSES. */
  readonly address: string;
  url(path: string): string;
  /** Requests received at a path, in order. */
  requests(path: string): readonly ReceivedRequest[];
  allRequests(): readonly ReceivedRequest[];
  /** The payloads of all requests at a path, in order. */
  events(path: string): readonly Readonly<Record<string, unknown>>[];
  /** Sets the status of later responses at this path; 200 by default. */
  answer(path: string, status: number): void;
  /** Sets the delay of later responses. */
  answerAfter(delayMs: number): void;
  /** Number of received requests without a response. */
  unanswered(): number;
  close(): Promise<void>;
}

interface SubscriberOptions {
  /** The port. Defaults to a free port. */
  readonly port?: number;
  /** The address to listen on. Defaults to the loopback interface. */
  readonly host?: string;
  /** The host name in its URLs if it differs from `host`. */
  readonly name?: string;
  /** The clock for times of requests. */
  readonly now?: () => number;
}

/** A subscriber's HTTP server. */
export async function startSubscriber(options: SubscriberOptions = {}): Promise<Subscriber> {
  const { port = 0, host = '127.0.0.1', name = host, now = Date.now } = options;
  const received: ReceivedRequest[] = [];
  const statuses = new Map<string, number>();
  let answerDelayMs = 0;
  let unanswered = 0;
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ method, path, headers, body: Buffer.concat(chunks), at: now() });
      unanswered += 1;
      // A test that has seen the request may set another status for the next one.
      const status = statuses.get(path) ?? 200;
      setTimeout(() => {
        unanswered -= 1;
        response.writeHead(status).end();
      }, answerDelayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = `${name}:${(server.address() as AddressInfo).port}`;
  const requests = (path: string) => received.filter((request) => request.path === path);

  return {
    address,
    url: (path) => `http://${address}${path}`,
    requests,
    allRequests: () => received,
    events: (path) => requests(path).flatMap(({ body }) => JSON.parse(body.toString())),
    answer: (path, status) => void statuses.set(path, status),
    answerAfter(delayMs) {
      answerDelayMs = delayMs;
    },
    unanswered: () => unanswered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
