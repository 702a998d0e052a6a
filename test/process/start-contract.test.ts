import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { probePort } from '../../infra/local/processes/free-port.ts';
import { processIdentity } from '../../infra/local/processes/process-identity.ts';
import { eventually } from '../support/eventually.ts';
import { runRefusedStart, type StartedProduct, startProduct } from '../support/harness/product.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

const livePids = (pids: readonly (number | null)[]): readonly (number | null)[] =>
  pids.filter((pid) => pid !== null && processIdentity(pid) !== undefined);

describe('a ready npm start', () => {
  let product: StartedProduct;

  beforeAll(async () => {
    product = await startProduct();
  });

  afterAll(() => product?.remove());

  it('serves requests with its keys without printing them', async () => {
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

  it('stays ready when access.json is deleted and writes the file again', async () => {
    const file = join(product.dataDir, 'access.json');
    const before = readFileSync(file, 'utf8');
    // The API notices the file within 100 ms; it stays noticed.
    const expectNoticed = async () => {
      const response = await fetch(`${product.url}/readyz`);
      expect(await response.json()).toMatchObject({ checks: { accessFile: true } });
    };
    await eventually(expectNoticed);
    rmSync(file);
    await expectNoticed();
    await eventually(() => expect(readFileSync(file, 'utf8')).toBe(before), { timeoutMs: 30_000 });
  });

  it('restricts access.json to its owner', async () => {
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
      `Annals is already running on ${product.dataDir} (process ${product.supervisorPid}): stop it first, or set ANNALS_DATA_DIR to another directory.`,
    );
  });

  it.each(['api', 'projector', 'dispatcher'] as const)(
    'restarts the %s after a kill and records its new process id',
    async (service) => {
      const killed = product.kill(service);

      await eventually(() => expect(product.access().processes[service]).not.toBe(killed));
      await product.waitUntilReady(service);
      expect(product.output()).toContain(`${service} ended (SIGKILL) and is being started again`);
    },
  );
});

it('npm start names a taken port and the remedy', async () => {
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

/** One installation, beginning with its first start. Each test continues where the previous one ended. */
describe('npm start with its own Kafka and Postgres', () => {
  let product: StartedProduct;
  let before: ReturnType<StartedProduct['access']>;
  let recordId: string;

  const headersOf = ({ apiKey }: typeof before) => ({
    'X-Api-Key': apiKey.apiKey,
    'Content-Type': 'application/json',
  });

  async function expectStop(signal: NodeJS.Signals): Promise<void> {
    const pids = Object.values(product.access().processes);
    expect(livePids(pids)).toHaveLength(5);

    const exit = await product.stop(signal);

    expect(exit).toEqual({ code: 0, signal: null });
    expect(livePids(pids)).toEqual([]);
  }

  beforeAll(async () => {
    product = await startProduct({ infrastructure: 'own' });
    before = product.access();
    const created = await fetch(`${product.url}/api/v1/Account`, {
      method: 'POST',
      headers: headersOf(before),
      body: JSON.stringify({ name: 'Kept over a restart' }),
    });
    ({ id: recordId } = (await created.json()) as { id: string });
  });

  afterAll(() => product?.remove());

  it('logs no warnings on a first start', async () => {
    await Promise.all(['api', 'projector', 'dispatcher'].map(product.waitUntilReady));

    expect(product.output()).toContain('for the first time');
    expect(product.output()).not.toMatch(/^\[\w+\] (?:warn|error|fatal):/m);
  });

  it('stops all processes on SIGINT and exits with 0', async () => {
    await expectStop('SIGINT');
  });

  it('resumes with the same data, keys and ports', async () => {
    product = await product.startAgain();
    const after = product.access();
    const url = `${product.url}/api/v1/Account/${recordId}`;
    const found = await fetch(url, { headers: headersOf(before) });

    expect(await found.json()).toMatchObject({ name: 'Kept over a restart' });
    expect({ ...after, processes: null }).toEqual({ ...before, processes: null });
  });

  it('restarts its Kafka and its Postgres after a kill', async () => {
    for (const part of ['kafka', 'postgres'] as const) {
      const killed = product.kill(part);
      await eventually(() => expect(product.access().processes[part]).not.toBe(killed), {
        timeoutMs: 40_000,
      });
    }

    const { kafka } = product.access();
    expect(await probePort(Number(kafka.brokers.split(':')[1]))).toBe('EADDRINUSE');
    await eventually(
      async () => {
        const response = await fetch(`${product.url}/api/v1/Account`, {
          headers: headersOf(before),
        });
        expect(response.status).toBe(200);
      },
      { timeoutMs: 40_000 },
    );
  });

  it('recovers from a killed supervisor with Kafka and Postgres still running', async () => {
    const pids = Object.values(product.access().processes);
    process.kill(product.supervisorPid, 'SIGKILL');
    await product.stop();

    product = await product.startAgain();

    expect(livePids(pids)).toEqual([]);
    expect(product.output()).toContain('Ended processes that a killed earlier run left behind:');
  });

  it('stops all processes on SIGTERM and exits with 0', async () => {
    await expectStop('SIGTERM');
  });
});
