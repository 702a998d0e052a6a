import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, it } from 'vitest';
import { outageOf } from './outage-of.ts';

it('treats a server that accepts connections but never responds as unavailable', async () => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
  const error: unknown = await client.connect().catch((thrown: unknown) => thrown);
  silent.close();

  expect(error).toBeInstanceOf(Error);
  expect(outageOf(error)).toMatchObject({ name: 'Unavailable' });
});

it('does not treat user errors or invalid statements as outages', () => {
  expect(outageOf(Object.assign(new Error('syntax error'), { code: '42601' }))).toBeUndefined();
  expect(outageOf(new Error('timeout of another kind expired'))).toBeUndefined();
});
