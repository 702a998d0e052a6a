import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface SickEndpoints {
  /** `host:port`. */
  readonly address: string;
  /** One of ten endpoints is faulty: it hangs, returns errors, or responds byte by byte. */
  url(index: number): string;
  isSick(index: number): boolean;
  /** Number of requests so far. */
  received(): number;
  /** A healthy endpoint that records the ids of its events, in the payload format `events`. */
  readonly noting: { readonly url: string; ids(): readonly string[] };
  close(): Promise<void>;
}

const sicknesses: readonly ((response: ServerResponse) => void)[] = [
  // Never responds.
  () => undefined,
  (response) => response.writeHead(500).end(),
  (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 500);
    response.on('close', () => clearInterval(timer));
  },
];

const NOTING_PATH = '/noting';

const isSick = (index: number): boolean => index % 10 === 0;

/** Receivers of webhooks behind one port of this machine. */
export async function startSickEndpoints(): Promise<SickEndpoints> {
  let received = 0;
  const noted: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === NOTING_PATH) {
      void json(request).then((events) => {
        for (const { id } of events as readonly { readonly id: string }[]) noted.push(id);
        response.end();
      });
      return;
    }
    const index = Number(request.url?.slice(1));
    request.resume();
    request.on('end', () => {
      received += 1;
      const sickness = isSick(index) ? sicknesses[(index / 10) % sicknesses.length] : undefined;
      if (sickness === undefined) response.end();
      else sickness(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    url: (index) => `http://${address}/${index}`,
    isSick,
    received: () => received,
    noting: { url: `http://${address}${NOTING_PATH}`, ids: () => noted },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
