import { fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { KNOWN_WITHIN_MS } from '../../../shared/http/serve-directory-progress.ts';
import { openPeerDirectories } from './wait-for-peers.ts';

const servers: ReturnType<typeof fastify>[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Starts an instance that confirms the directory change once `release` is called. */
async function startInstance() {
  const requests: { offset: string; token: string | undefined }[] = [];
  let release = () => {};
  const known = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = fastify();
  servers.push(server);
  server.get<{ Params: { offset: string } }>('/internal/directory/:offset', async (request) => {
    requests.push({ offset: request.params.offset, token: request.headers.authorization });
    await known;
    return { known: true };
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return { address, requests, release };
}

function isPending(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), new Promise<true>((r) => setTimeout(r, 60, true))]);
}

describe('a directory change', () => {
  it('completes once every other instance has read it', async () => {
    const [quick, lagging] = [await startInstance(), await startInstance()];
    const elsewhere = openPeerDirectories('secret', async () => [quick.address, lagging.address]);
    const knowing = elsewhere.waitFor(7n);
    quick.release();

    expect(await isPending(knowing)).toBe(true);
    lagging.release();
    await knowing;
    for (const { requests } of [quick, lagging]) {
      expect(requests).toEqual([{ offset: '7', token: 'Bearer secret' }]);
    }
    await elsewhere.close();
  });

  it('is not delayed by stopped instances and only briefly by silent ones', async () => {
    const [gone, silent] = [await startInstance(), await startInstance()];
    await servers[0]?.close();
    const elsewhere = openPeerDirectories('secret', async () => [gone.address]);
    const before = performance.now();
    await elsewhere.waitFor(7n);
    expect(performance.now() - before).toBeLessThan(KNOWN_WITHIN_MS);
    await elsewhere.close();

    const patient = openPeerDirectories('secret', async () => [silent.address]);
    const start = performance.now();
    await patient.waitFor(7n);
    const waitedMs = performance.now() - start;
    expect(silent.requests).toHaveLength(1);
    // Timers may fire a millisecond early.
    expect(waitedMs).toBeGreaterThanOrEqual(KNOWN_WITHIN_MS - 2);
    expect(waitedMs).toBeLessThan(4 * KNOWN_WITHIN_MS);
    await patient.close();
    silent.release();
  });

  it('completes immediately if there is only one instance', async () => {
    const elsewhere = openPeerDirectories('secret', async () => []);
    expect(await isPending(elsewhere.waitFor(7n))).toBe(false);
    await elsewhere.close();
  });
});
