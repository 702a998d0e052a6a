import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { createDirectoryStore } from '../../shared/files/directory-store.ts';
import { aStoredFile } from '../support/describe-file-store.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { administratorHeaders, type Uploaded, uploadFile } from '../support/upload-file.ts';

const FILE_BYTES = 700_000;
const places = makeTestDirectory();
const own = { KAFKA_BROKERS: '', DATABASE_URL: '' };
let product: StartedProduct | undefined;

afterAll(async () => {
  await product?.remove();
  rmSync(places, { recursive: true, force: true });
});

function makePlace(name: string): string {
  const path = join(places, name);
  mkdirSync(path);
  return path;
}

async function start(dataDir: string, store: string | undefined): Promise<StartedProduct> {
  const env = store === undefined ? {} : { FILES_STORE: `file://${store}` };
  product = await startProduct({ infrastructure: 'own', dataDir, env });
  return product;
}

async function annals(line: string, dataDir: string, store = '') {
  const FILES_STORE = store === '' ? '' : `file://${store}`;
  const args = [...line.split(' '), '--data-dir', dataDir, '--json'];
  const result = await runCli(args, { ...own, FILES_STORE });
  return { ...result, found: result.code === 0 ? JSON.parse(result.stdout) : undefined };
}

async function hashesOf(started: StartedProduct, files: readonly Uploaded[]) {
  const headers = administratorHeaders(started);
  const found: string[] = [];
  for (const { id } of files) {
    const answer = await fetch(`${started.url}/api/v1/Attachment/file/${id}`, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    found.push(createHash('sha256').update(bytes).digest('hex'));
  }
  return found;
}

it('a backup contains the files of the log and of the store, and a restore puts them back', async () => {
  const [dataDir, store] = [join(places, 'data'), makePlace('store')];
  const backup = join(places, 'backup');
  let running = await start(dataDir, undefined);
  const files = [await uploadFile(running, FILE_BYTES)];
  await running.stop();
  running = await start(dataDir, store);
  files.push(await uploadFile(running, FILE_BYTES));
  const first = await annals(`backup ${backup}`, dataDir, store);
  expect(first.found?.files, first.stderr).toEqual({ inBackup: 1, inStore: 0, inLog: 1 });
  files.push(await uploadFile(running, FILE_BYTES));
  const next = await annals(`backup ${backup}`, dataDir, store);
  expect(next.found).toMatchObject({ isIncremental: true, files: { inBackup: 2, inLog: 1 } });
  const light = join(places, 'light');
  const without = await annals(`backup ${light} --without-files`, dataDir, store);
  expect(without.found?.files).toEqual({ inBackup: 0, inStore: 2, inLog: 1 });
  const unset = await annals(`backup ${join(places, 'unset')}`, dataDir);
  expect(unset.found?.files).toBeUndefined();
  await running.stop();

  // One changed byte makes the whole restore fail before it begins.
  const { sha256 = '' } = files[2] ?? {};
  const path = join(backup, 'bytes', 'files', sha256.slice(0, 2), sha256);
  const bytes = readFileSync(path);
  writeFileSync(
    path,
    bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte)),
  );
  const damaged = await annals(`restore ${backup} --dry-run`, dataDir);
  expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('is damaged')]);
  writeFileSync(path, bytes);

  const [other, otherStore] = [makePlace('other'), makePlace('other-store')];
  for (const key of ['secret.key', 'seed.json']) copyFileSync(join(dataDir, key), join(other, key));
  const refused = await annals(`restore ${backup} --yes`, other);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set FILES_STORE')]);
  const restored = await annals(`restore ${backup} --yes`, other, otherStore);
  expect(restored.found?.files, restored.stderr).toEqual({ restored: 2, missing: 0 });
  running = await start(other, otherStore);
  expect(await hashesOf(running, files)).toEqual(files.map((file) => file.sha256));
  const verified = await annals('verify --files', other, otherStore);
  expect(verified.found, verified.stdout).toMatchObject({ files: 3, inStore: 2 });

  await proveCollection(running, { dataDir: other, store: otherStore, files });
}, 600_000);

/** Deletes only old files that neither the log, nor a backup, nor an upload names. */
async function proveCollection(
  running: StartedProduct,
  { dataDir, store, files }: { dataDir: string; store: string; files: readonly Uploaded[] },
): Promise<void> {
  const direct = createDirectoryStore(store);
  const [old, recent, held, claimed] = Array.from({ length: 4 }, () => aStoredFile(1_000));
  if (!old || !recent || !held || !claimed) throw new Error('no files');
  for (const file of [old, recent, held, claimed]) await direct.put(file);
  for (const { sha256 } of [old, held, claimed, ...files.slice(1)])
    utimesSync(join(store, 'files', sha256.slice(0, 2), sha256), 1_000, 1_000);
  await direct.notes.write('backup-kept', Buffer.from(`a time and place\n${held.sha256}`));
  await withClient(running.access().postgres.url, async (client) => {
    await client.query('insert into annals_files.uploads values ($1, now())', [claimed.sha256]);
  });
  const exists = async () => {
    const sizes = [old, recent, held, claimed].map(({ sha256 }) => direct.sizeOf(sha256));
    return (await Promise.all(sizes)).map((size) => size !== undefined);
  };
  const dry = await annals('files collect --dry-run', dataDir, store);
  expect(dry.found, dry.stderr).toMatchObject({ isDryRun: true, used: 3 });
  expect(await exists()).toEqual([true, true, true, true]);
  const collected = await annals('files collect --yes', dataDir, store);
  expect(collected.found).toMatchObject({
    ...{ unused: 1, bytes: 1_000, used: 3, recent: 2 },
    backups: [{ id: 'kept', description: 'a time and place' }],
  });
  expect(await exists()).toEqual([false, true, true, true]);
  expect((await annals('files release unknown --yes', dataDir, store)).code).toBe(1);
  expect((await annals('files release kept --yes', dataDir, store)).code).toBe(0);
  await annals('files collect --yes', dataDir, store);
  expect(await exists()).toEqual([false, true, false, true]);
  expect(await hashesOf(running, files)).toEqual(files.map((file) => file.sha256));
}
