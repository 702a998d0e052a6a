import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { partitionOf } from '../../shared/events/partition-of.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { flipBit } from '../support/log/damage-segment.ts';

const PARTITIONS = 4;
const patience = { timeoutMs: 60_000 };
let product: StartedProduct;
let api: ApiClient;
/** The second batch of a partition with a record; the first batch is the fence of its writer. */
let place: { readonly topic: string; readonly partition: number; readonly batch: number };
let damage: string;
let accountId: string;

beforeAll(async () => {
  product = await startProduct({ infrastructure: 'own' });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  accountId = recordIn(await api.post('/Account', anAccount())).id;
  for (let index = 0; index < 20; index += 1) await api.post('/Account', anAccount());
  api.close();
  await product.stop();
  const partition = partitionOf(accountId, PARTITIONS);
  place = { topic: 'annals.records', partition, batch: 1 };
  const offset = flipBit(product.dataDir, place);
  damage = `damaged on disk at annals.records/${partition} offset ${offset}`;
  product = await product.startAgain();
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const annals = (...line: readonly string[]) => runCli([...line, '--data-dir', product.dataDir], {});

describe('a flipped bit on the disk of the broker', () => {
  it('makes verify report the offset and a remedy other than a rebuild', async () => {
    const { code, stdout, stderr } = await annals('verify');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`The log is ${damage}`);
    expect(stderr).toContain(`annals rebuild-log --replace --partition ${place.partition}`);
    expect(stderr).toContain('Do not rebuild the tables');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is reported by doctor as a fault with its remedy', async () => {
    const { code, stdout } = await annals('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^fault +The log is ${damage}.+Remedy: annals rebuild-log`, 'm'),
    );
    expect(stdout).not.toContain('authentication code');
  });

  it('makes backup fail', async () => {
    const directory = join(product.dataDir, 'backup');
    const { code, stderr } = await annals('backup', directory);
    expect(code).toBe(1);
    expect(stderr).toContain(`The log is ${damage}`);
    expect(existsSync(join(directory, 'backup.json'))).toBe(false);
  });

  it('does not affect reads and writes that do not need the batch', async () => {
    expect((await api.get(`/Account/${accountId}`)).status).toBe(200);
    expect((await api.post('/Account', anAccount())).status).toBe(200);
  });

  it('makes rebuild fail and keeps the tables', async () => {
    const { code, stderr } = await annals('rebuild');
    expect(code).toBe(1);
    expect(stderr).toContain(damage);
    expect((await api.get(`/Account/${accountId}`)).status).toBe(200);
  });

  it('stops a projector that needs the batch until the broker returns the correct bytes', async () => {
    const { url } = product.access().postgres;
    await withClient(url, (client) => client.query('drop schema annals cascade'));
    await eventually(async () => {
      expect(product.output()).toContain(damage);
      const readiness = await fetch(`${product.internalUrl('projector')}/readyz`);
      expect(readiness.status).toBe(503);
      expect(await readiness.json()).toMatchObject({ checks: { kafka: false } });
    }, patience);

    flipBit(product.dataDir, place);
    await eventually(async () => {
      expect((await fetch(`${product.internalUrl('projector')}/readyz`)).status).toBe(200);
      expect((await api.get(`/Account/${accountId}`)).status).toBe(200);
    }, patience);
    expect(await annals('verify')).toMatchObject({ code: 0 });
    expect((await annals('rejected', 'list')).stdout).not.toContain('annals.records');
  });

  it('is repaired by the command that doctor reports', async () => {
    flipBit(product.dataDir, place);
    const line = ['rebuild-log', '--replace', '--partition', String(place.partition), '--yes'];
    expect(await annals(...line)).toMatchObject({ code: 0 });
    // The services restart on the rewritten log.
    await eventually(async () => {
      expect((await api.post('/Account', anAccount())).status).toBe(200);
      expect((await api.get(`/Account/${accountId}`)).status).toBe(200);
      expect(await annals('verify')).toMatchObject({ code: 0 });
    }, patience);
  });
});
