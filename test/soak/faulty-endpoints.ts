import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface FaultyEndpoints {
  /** `host:port`. */
  readonly address: string;
  /** One of ten endpoints is faulty: it hangs, returns errors, or responds byte by byte. */
  url(index: number): string;
  isFaulty(index: number): boolean;
  /** Number of requests so far. */
  received(): number;
  /** A healthy endpoint that records the ids of its events, in the payload format `events`. */
  readonly recording: { readonly url: string; ids(): readonly string[] };
  close(): Promise<void>;
}

const faults: readonly ((response: ServerResponse) => void)[] = [
  // Never responds.
  () => undefined,
  (response) => response.writeHead(500).end(),
  (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 500);
    response.on('close', () => clearInterval(timer));
  },
];

const RECORDING_PATH = '/recording';

const isFaulty = (index: number): boolean => index % 10 === 0;

/** Receivers of webhooks behind one port of this machine. */
export async function startFaultyEndpoints(): Promise<FaultyEndpoints> {
  let received = 0;
  const recordedIds: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === RECORDING_PATH) {
      void json(request).then((events) => {
        for (const { id } of events as readonly { readonly id: string }[]) recordedIds.push(id);
        response.end();
      });
      return;
    }
    const index = Number(request.url?.slice(1));
    request.resume();
    request.on('end', () => {
      received += 1;
      const respondFaulty = isFaulty(index) ? faults[(index / 10) % faults.length] : undefined;
      if (respondFaulty === undefined) response.end();
      else respondFaulty(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    url: (index) => `http://${address}/${index}`,
    isFaulty,
    received: () => received,
    recording: { url: `http://${address}${RECORDING_PATH}`, ids: () => recordedIds },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
