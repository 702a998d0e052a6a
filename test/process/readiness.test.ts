import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kafkaLogDirectory } from '../../infra/local/kafka/start-kafka.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { scrape } from '../support/scrape.ts';

const services = ['api', 'projector', 'dispatcher'] as const;
type Service = (typeof services)[number];
const patience = { timeoutMs: 60_000, intervalMs: 50 };
/** Long enough to distinguish a broker that hangs from one that is slow. */
const soon = { timeoutMs: 30_000, intervalMs: 50 };

interface Answer {
  readonly status: number;
  readonly checks: Readonly<Record<string, boolean>>;
}

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({ infrastructure: 'own' });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

async function fetchReadiness(service: Service): Promise<Answer> {
  const response = await fetch(`${product.internalUrl(service)}/readyz`, {
    signal: AbortSignal.timeout(3_000),
  });
  const { checks } = (await response.json()) as Pick<Answer, 'checks'>;
  return { status: response.status, checks };
}

async function untilAllReady(): Promise<void> {
  await eventually(async () => {
    for (const service of services) {
      const { status, checks } = await fetchReadiness(service);
      expect({ service, status, checks }).toMatchObject({ service, status: 200 });
    }
  }, patience);
}

async function expectAllAlive(): Promise<void> {
  for (const service of services) {
    const response = await fetch(`${product.internalUrl(service)}/livez`, {
      signal: AbortSignal.timeout(3_000),
    });
    expect({ service, status: response.status }).toEqual({ service, status: 200 });
  }
}

/** Returns the pid with those of its children: Postgres has a process per connection. */
function withChildren(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))];
}

/** Waits until these services report this check as failed. */
async function untilMissing(check: string, missing: readonly Service[]): Promise<void> {
  await eventually(async () => {
    for (const service of missing) {
      const { status, checks } = await fetchReadiness(service);
      expect({ service, status, checks }).toMatchObject({
        service,
        status: 503,
        checks: { [check]: false },
      });
    }
  }, soon);
}

describe('readiness', () => {
  it('is reported by every service while all dependencies are available', async () => {
    await untilAllReady();
    const response = await fetch(`${product.url}/readyz`);
    expect(await response.json()).toEqual({
      ready: true,
      checks: {
        kafka: true,
        log: true,
        postgres: true,
        readModel: true,
        listening: true,
        projection: true,
        accessFile: true,
      },
    });
    expect((await fetch(`${product.url}/livez`)).status).toBe(200);
  });

  it('does not expose metrics on the public port by default', async () => {
    expect((await fetch(`${product.url}/metrics`)).status).toBe(404);
    const { sum } = await scrape(product.internalUrl('api'));
    expect(sum('annals_build_info')).toBe(1);
  });

  it('fails for every service while the broker hangs and then recovers', async () => {
    product.kill('kafka', 'SIGSTOP');
    try {
      await untilMissing('kafka', services);
      await expectAllAlive();
      const { samples } = await scrape(product.internalUrl('api'));
      expect(samples('annals_ready').get('check="kafka"')).toBe(0);
      // Lag cannot be determined without Kafka, and the scrape does not wait for it.
      const projector = await scrape(product.internalUrl('projector'));
      expect(projector.samples('annals_projector_lag_entries').size).toBe(0);
    } finally {
      product.kill('kafka', 'SIGCONT');
    }
    await untilAllReady();
    recordIn(await api.post('/Account', anAccount()));
  });

  it('fails for every service while the broker is dead and then recovers', async () => {
    product.kill('kafka');
    await untilMissing('kafka', services);
    await expectAllAlive();
    await untilAllReady();
    recordIn(await api.post('/Account', anAccount()));
  });

  it('fails for api and projector while Postgres is dead and then recovers', async () => {
    product.kill('postgres');
    const seen = new Set<Service>();
    await eventually(
      async () => {
        for (const service of ['api', 'projector'] as const) {
          const { status, checks } = await fetchReadiness(service);
          if (status === 503 && checks['postgres'] === false) seen.add(service);
        }
        expect([...seen].toSorted()).toEqual(['api', 'projector']);
      },
      { ...soon, intervalMs: 5 },
    );
    await expectAllAlive();
    expect(await fetchReadiness('dispatcher')).toMatchObject({ status: 200 });
    await untilAllReady();
    recordIn(await api.post('/Account', anAccount()));
  });

  it('fails for api and projector while Postgres hangs and then recovers', async () => {
    const pids = withChildren(product.kill('postgres', 'SIGSTOP'));
    try {
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      await untilMissing('postgres', ['api', 'projector']);
      await expectAllAlive();
      expect(await fetchReadiness('dispatcher')).toMatchObject({ status: 200 });
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await untilAllReady();
    recordIn(await api.post('/Account', anAccount()));
  });

  it('does not depend on projector lag for api and dispatcher', async () => {
    await withClient(product.access().postgres.url, async (client) => {
      await client.query('begin; lock table annals.record_history in access exclusive mode');
      await api.post('/Account', anAccount(), { Prefer: 'respond-async' });
      await untilMissing('postgres', ['projector']);
      await expectAllAlive();
      for (const service of ['api', 'dispatcher'] as const) {
        expect({ service, ...(await fetchReadiness(service)) }).toMatchObject({
          service,
          status: 200,
        });
      }
      const { sum } = await scrape(product.internalUrl('projector'));
      expect(sum('annals_projector_lag_entries')).toBeGreaterThan(0);
    });
    await untilAllReady();
    recordIn(await api.post('/Account', anAccount()));
  });

  it('does not depend on the projector for the api', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    product.kill('projector', 'SIGSTOP');
    try {
      await expect(fetchReadiness('projector')).rejects.toThrow();
      await api.post('/Account', anAccount(), { Prefer: 'respond-async' });
      expect(await fetchReadiness('api')).toMatchObject({ status: 200 });
      expect((await api.get(`/Account/${id}`)).status).toBe(200);
      const { sum } = await scrape(product.internalUrl('api'));
      expect(sum('annals_writer_unprojected_entries')).toBeGreaterThan(0);
    } finally {
      product.kill('projector', 'SIGCONT');
    }
    await untilAllReady();
  });

  it('fails for every service after Kafka loses entries while reads continue', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const logs = kafkaLogDirectory(join(product.dataDir, 'kafka'));
    for (const partition of readdirSync(logs).filter((name) => name.startsWith('annals.records-')))
      rmSync(join(logs, partition), { recursive: true });
    product.kill('kafka');
    await eventually(async () => {
      for (const service of services) {
        const { status, checks } = await fetchReadiness(service);
        expect({ service, status, checks }).toMatchObject({ service, status: 503 });
      }
      expect(await fetchReadiness('api')).toMatchObject({ checks: { kafka: true, log: false } });
    }, patience);
    expect(product.output()).toMatch(/annals\.records.\d ends at 0, .*Kafka lost acknowledged/);
    expect(await api.post('/Account', anAccount())).toMatchObject({ status: 503 });
    expect((await api.get(`/Account/${id}`)).status).toBe(200);
  });
});
