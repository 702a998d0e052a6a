import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

interface Failover {
  readonly url: string;
  close(): void;
}

/** Forwards each connection to the first port that accepts it, like the proxy of docs/operations/docker.md. */
export async function startFailover(ports: readonly number[]): Promise<Failover> {
  const open = new Set<Socket>();
  const options = { allowHalfOpen: true, pauseOnConnect: true, noDelay: true };
  const server = createServer(options, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    void connectToFirst(ports).then((upstream) => {
      if (upstream === undefined) return void client.destroy();
      const end = (error: unknown) => error && [client, upstream].map((it) => it.destroy());
      pipeline(client, upstream, end);
      pipeline(upstream, client, end);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const client of open) client.destroy();
    },
  };
}

async function connectToFirst(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isConnected) return socket;
  }
  return undefined;
}
