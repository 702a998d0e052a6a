import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';

const rowCount = 6_000;
const patience = { timeoutMs: 180_000, intervalMs: 500 };

let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    // Two apis, so that commands are forwarded to the owners of partitions.
    env: { ANNALS_API_INSTANCES: '2', ANNALS_TOPIC_PREFIX: `import-${process.pid}` },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterAll(async () => {
  admin.close();
  await product.remove();
});

const stateOf = async (id: string) => recordIn(await admin.get(`/Import/${id}`));

/** Accounts by the prefix of their name. */
async function countOf(name: string): Promise<number> {
  const where = [{ type: 'startsWith', attribute: 'name', value: name }];
  const query = new URLSearchParams({ searchParams: JSON.stringify({ where, maxSize: 1 }) });
  return listIn(await admin.get(`/Account?${query}`)).total;
}

describe('an import', () => {
  it('writes every row once if the apis are killed while it runs, and is undone as a whole', {
    timeout: 600_000,
  }, async () => {
    const name = unique('row');
    // Every hundredth row is invalid.
    const rows = Array.from({ length: rowCount }, (_, index) =>
      index % 100 === 0 ? `,https://a.example` : `${name} ${index},https://a.example`,
    );
    const file = await admin.post('/Import/file', `n,w\n${rows.join('\n')}\n`, {
      'Content-Type': 'text/csv',
    });
    const { attachmentId } = file.body as { readonly attachmentId: string };
    const body = { entityType: 'Account', attributeList: ['name', 'website'], attachmentId };
    const started = await admin.post('/Import', { ...body, headerRow: true, idleMode: true });
    expect(started.body).toMatchObject({ countCreated: 0, countUpdated: 0 });
    const { id } = recordIn(started);

    await eventually(async () => expect(await countOf(name)).toBeGreaterThan(200), {
      timeoutMs: 60_000,
      intervalMs: 20,
    });
    for (const api of ['api', 'api2']) product.kill(api);
    for (const api of ['api', 'api2']) await product.waitUntilReady(api);
    expect((await stateOf(id))['status'], 'it completed before the crash').toBe('In Process');

    const invalid = rowCount / 100;
    await eventually(
      async () =>
        expect(await stateOf(id)).toMatchObject({
          status: 'Complete',
          rowCount,
          importedCount: rowCount - invalid,
          updatedCount: 0,
          rejectedCount: invalid,
        }),
      patience,
    );
    expect(await countOf(name)).toBe(rowCount - invalid);
    expect(listIn(await admin.get(`/Import/${id}/errors?maxSize=1`)).total).toBe(invalid);

    await admin.post(`/Import/${id}/revert`, { idleMode: true });
    await eventually(async () => expect(await countOf(name)).toBe(0), patience);
  });

  it('is requested and followed by annals import', async () => {
    const name = unique('cli');
    const directory = mkdtempSync(join(tmpdir(), 'annals-import-'));
    const path = join(directory, 'accounts.csv');
    const annals = async (...options: readonly string[]) =>
      runCli(
        ['import', path, '--entity', 'Account', '--data-dir', product.dataDir, ...options],
        {},
      );
    try {
      writeFileSync(path, `name;website\n${name} 1;https://a.example\n;https://b.example\n`);
      const tried = await annals('--delimiter', ';', '--dry-run');
      expect(tried).toMatchObject({ code: 1, stderr: '' });
      expect(tried.stdout).toContain(
        '2 rows: 1 new, 0 changed, 0 unchanged, 0 skipped, 1 rejected.',
      );
      const rejected = join(directory, 'accounts.rejected.csv');
      expect(tried.stdout).toContain(rejected);
      expect(readFileSync(rejected, 'utf8')).toContain(';https://b.example;2;Name is required.');
      expect(await countOf(name)).toBe(0);
      writeFileSync(path, `Label,Web,Odd\n${name} 1,https://a.example,x\n${name} 2,,\n`);
      const unknown = await annals('--map', 'Label=name', '--map', 'Web=website');
      expect(unknown).toMatchObject({ code: 1, stdout: '' });
      expect(unknown.stderr).toContain("--map 'header=-' skips it");
      const map = ['--map', 'Label=name', '--map', 'Web=website', '--map', 'Odd=-'];
      const made = await annals(...map, '--json');
      expect(made.code).toBe(0);
      expect(JSON.parse(made.stdout)).toMatchObject({ importedCount: 2, rejectedCount: 0 });
      const changed = await annals(...map, '--update-by', 'name');
      expect(changed.stdout).toContain('0 new, 0 changed, 2 unchanged');
      expect(await countOf(name)).toBe(2);
      const wrong = await annals(...map, '--update-by', 'website,nothing');
      expect(wrong).toMatchObject({ code: 2, stdout: '' });
      const missing = await annals('--map', 'Name=name');
      expect(missing).toMatchObject({ code: 2, stdout: '' });
      expect(missing.stderr).toContain("lacks a column 'Name'. Its columns are Label, Web, Odd.");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
