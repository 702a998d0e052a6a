import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { printable } from '../../../shared/domain/printable.ts';
import { errorCode, OperatorError } from '../../local/operator-error.ts';
import { tryOr } from '../../local/try-or.ts';
import type { AloneContext } from '../command-context.ts';

interface ReceiveOptions {
  readonly port: number;
  readonly secret?: string;
  /** The status code of every response. */
  readonly status: number;
}

interface ReceiveContext extends Pick<AloneContext, 'isJson'> {
  readonly output: Pick<AloneContext['output'], 'print'>;
}

/**
 * `annals receive`: a receiver for trying out webhooks. Prints each webhook request, and whether it is signed with the
 * secret. Prints any other request, such as a browser's request for an icon, on one line and rejects it with 404.
 */
export async function receive(
  { isJson, output }: ReceiveContext,
  { port, secret, status }: ReceiveOptions,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (!isWebhook(request)) {
      const ignored = `${request.method} ${printable(request.url ?? '')}`;
      output.print(isJson ? JSON.stringify({ ignored }) : `Ignored, not a webhook: ${ignored}`);
      request.resume();
      response.writeHead(NOT_FOUND).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = inspect(request.headers, Buffer.concat(chunks), secret);
      output.print(isJson ? JSON.stringify(seen) : toText(seen));
      response.writeHead(status).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    const code = errorCode(error);
    throw new OperatorError(`Cannot listen on port ${port} (${code}): choose another --port.`);
  });
  const { port: chosen } = server.address() as AddressInfo;
  if (!isJson) output.print(`Waiting for webhooks at http://127.0.0.1:${chosen}/`);
  return server;
}

const NOT_FOUND = 404;

function isWebhook({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && ['webhook-id', 'x-webhook-event'].every((name) => name in headers);
}

function inspect(headers: IncomingHttpHeaders, body: Buffer, secret: string | undefined) {
  const text = body.toString('utf8');
  const one = (name: string) => [headers[name]].flat()[0];
  return {
    id: one('webhook-id'),
    event: one('x-webhook-event'),
    attempt: one('x-webhook-attempt'),
    verdict: secret === undefined ? 'not checked' : verifySignature(headers, body, secret),
    body: tryOr<unknown>(() => JSON.parse(text), text),
  };
}

const MAX_AGE_SECONDS = 300;

/** Verifies a request as described in docs/reference/webhooks.md. The secret is `secretKey` or `standardSecret`. */
function verifySignature(headers: IncomingHttpHeaders, body: Buffer, secret: string) {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': received,
  } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_SECONDS)) return 'NOT VERIFIED';
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  const entries = String(received)
    .split(' ')
    .map((entry) => Buffer.from(entry));
  const isSigned = entries.some(
    (entry) => entry.length === expected.length && timingSafeEqual(entry, expected),
  );
  return isSigned ? 'verified' : 'NOT VERIFIED';
}

function toText({ id, event, attempt, verdict, body }: ReturnType<typeof inspect>): string {
  const events = Array.isArray(body) ? body : [body];
  const lines = events.map((one) => `  ${JSON.stringify(one)}`);
  return [`${verdict}: ${event}, ${id}, attempt ${attempt}`, ...lines].join('\n');
}
