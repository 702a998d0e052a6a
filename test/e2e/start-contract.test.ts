import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { judgePort } from '../../infra/local/processes/free-port.ts';
import { processIdentity } from '../../infra/local/processes/process-identity.ts';
import { eventually } from '../support/eventually.ts';
import { runRefusedStart, type StartedProduct, startProduct } from '../support/product.ts';
import { makeTestDirectory } from '../support/test-infrastructure.ts';

const products: StartedProduct[] = [];

async function start(options: Parameters<typeof startProduct>[0] = {}): Promise<StartedProduct> {
  const product = await startProduct(options);
  products.push(product);
  return product;
}

afterEach(async () => {
  for (const product of products.splice(0)) await product.remove();
});

const livePids = (pids: readonly (number | null)[]): readonly (number | null)[] =>
  pids.filter((pid) => pid !== null && processIdentity(pid) !== undefined);

describe('npm start, once it says that it is ready,', () => {
  let product: StartedProduct;

  beforeAll(async () => {
    product = await startProduct();
  });

  afterAll(() => product?.remove());

  it('serves requests with its keys, and has none of them in what a file keeps of it', async () => {
    const { apiKey } = product.access().apiKey;
    const response = await fetch(`${product.url}/api/v1/Account`, {
      headers: { 'X-Api-Key': apiKey },
    });

    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    const { admin, user, hmac } = product.access();
    for (const secret of [apiKey, hmac.apiKey, hmac.secretKey, admin.password, user.password]) {
      expect(product.output()).not.toContain(secret);
    }
    expect(product.output()).toContain(join(product.dataDir, 'access.json'));
  });

  it('has written access.json, for its owner only', async () => {
    const file = join(product.dataDir, 'access.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(product.access()).toEqual({
      url: product.url,
      admin: { userName: expect.any(String), password: expect.any(String) },
      user: { userName: expect.any(String), password: expect.any(String) },
      apiKey: { userName: expect.any(String), apiKey: expect.stringMatching(/^[0-9a-f]{32}$/) },
      hmac: {
        userName: expect.any(String),
        apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        secretKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      kafka: inject('kafka'),
      postgres: { url: expect.stringMatching(/^postgres:/) },
      processes: {
        api: expect.any(Number),
        projector: expect.any(Number),
        dispatcher: expect.any(Number),
        kafka: null,
        postgres: null,
      },
    });
    expect(product.output()).toContain(`\nAnnals is ready at ${product.url}\n`);
    expect(product.output().match(/^ {2}curl /gm)).toHaveLength(3);
  });

  it('refuses a second start on the same data directory', async () => {
    const second = await runRefusedStart({ ANNALS_DATA_DIR: product.dataDir });

    expect(second.exit.code).toBe(1);
    expect(second.output.trim()).toBe(
      `Annals already runs on ${product.dataDir} (process ${product.supervisorPid}): stop that one first, or set ANNALS_DATA_DIR to another directory.`,
    );
  });

  it.each(['api', 'projector', 'dispatcher'] as const)(
    'starts the %s again after it was killed, and notes its new process',
    async (service) => {
      const killed = product.kill(service);

      await eventually(() => expect(product.access().processes[service]).not.toBe(killed));
      await product.waitUntilReady(service);
      expect(product.output()).toContain(`${service} ended (SIGKILL) and is being started again`);
    },
  );
});

describe('npm start', () => {
  it('warns of nothing at a first start', async () => {
    const product = await start({ infrastructure: 'own' });

    await Promise.all(['api', 'projector', 'dispatcher'].map(product.waitUntilReady));

    expect(product.output()).toContain('for the first time');
    expect(product.output()).not.toMatch(/^\[\w+\] (?:warn|error|fatal):/m);
  });

  it('names a taken port and what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;

    const refused = await runRefusedStart({
      PORT: `${port}`,
      ANNALS_DATA_DIR: makeTestDirectory(),
    });
    taken.close();

    expect(refused.exit.code).toBe(1);
    expect(refused.output).toMatch(`Port ${port} on 127.0.0.1 is taken by another program:`);
    expect(refused.output).not.toMatch(/^\s+at /m);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops everything at %s, with exit code 0 and no process left',
    async (signal) => {
      const product = await start({ infrastructure: 'own' });
      const pids = Object.values(product.access().processes);
      expect(livePids(pids)).toHaveLength(5);

      const exit = await product.stop(signal);

      expect(exit).toEqual({ code: 0, signal: null });
      expect(livePids(pids)).toEqual([]);
    },
  );

  it('resumes with the same data, keys and ports', async () => {
    const first = await start({ infrastructure: 'own' });
    const before = first.access();
    const headers = { 'X-Api-Key': before.apiKey.apiKey, 'Content-Type': 'application/json' };
    const created = await fetch(`${first.url}/api/v1/Account`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Kept over a restart' }),
    });
    const { id } = (await created.json()) as { id: string };
    await first.stop();

    const second = await first.startAgain();
    products.push(second);
    const after = second.access();
    const found = await fetch(`${second.url}/api/v1/Account/${id}`, { headers });

    expect(await found.json()).toMatchObject({ name: 'Kept over a restart' });
    expect({ ...after, processes: null }).toEqual({ ...before, processes: null });
  });

  it('recovers from a supervisor that was killed, with Kafka and Postgres still running', async () => {
    const first = await start({ infrastructure: 'own' });
    const pids = Object.values(first.access().processes);
    process.kill(first.supervisorPid, 'SIGKILL');
    await first.stop();

    const second = await first.startAgain();
    products.push(second);

    expect(livePids(pids)).toEqual([]);
    expect(second.output()).toContain('Ended what an earlier run that was killed left behind:');
  });

  it('starts its Kafka and its Postgres again after they were killed', async () => {
    const product = await start({ infrastructure: 'own' });

    for (const part of ['kafka', 'postgres'] as const) {
      const killed = product.kill(part);
      await eventually(() => expect(product.access().processes[part]).not.toBe(killed), {
        timeoutMs: 40_000,
      });
    }

    const { kafka } = product.access();
    expect(await judgePort(Number(kafka.brokers.split(':')[1]))).toBe('EADDRINUSE');
    const headers = { 'X-Api-Key': product.access().apiKey.apiKey };
    await eventually(
      async () => {
        const response = await fetch(`${product.url}/api/v1/Account`, { headers });
        expect(response.status).toBe(200);
      },
      { timeoutMs: 40_000 },
    );
  });
});
