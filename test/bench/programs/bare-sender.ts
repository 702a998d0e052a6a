// The yardstick of `delivery`: undici in a loop that signs each request, without other parts.
import { createHmac, createSecretKey } from 'node:crypto';
import { Pool } from 'undici';
import type { BareSenderRequest } from '../delivery/bench-delivery.ts';
import { serveParent } from './serve-parent.ts';

serveParent(async ({ url, body, secret, concurrency, durationMs }: BareSenderRequest) => {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const key = createSecretKey(Buffer.from(secret));
  const until = performance.now() + durationMs;
  const sendInTurn = async (): Promise<void> => {
    while (performance.now() < until) await send(pool, Buffer.from(body), key);
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  await pool.close();
});

/** Uses dispatch, the cheapest API of undici. */
function send(pool: Pool, body: Buffer, key: ReturnType<typeof createSecretKey>): Promise<void> {
  const signature = createHmac('sha256', key).update(body).digest('base64');
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { method: 'POST', path: '/', headers, body },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}
