import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

type Behaviour = (request: ReceivedRequest, response: ServerResponse) => void;

/** A receiver with scripted responses, or none. */
export interface ScriptedReceiver {
  readonly url: string;
  readonly received: ReceivedRequest[];
  answerWith(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const withStatus =
  (status: number): Behaviour =>
  (_, response) =>
    response.writeHead(status).end();

export async function startScriptedReceiver(
  behaviour: Behaviour = withStatus(200),
): Promise<ScriptedReceiver> {
  const received: ReceivedRequest[] = [];
  let answer = behaviour;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      const entry = { path, headers, body, at: Date.now() };
      received.push(entry);
      answer(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith(next) {
      answer = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
