import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import {
  provideS3Server,
  type S3Server,
  startS3Server,
} from '../support/harness/start-s3-server.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { administratorHeaders, type Uploaded, uploadFile } from '../support/upload-file.ts';

const KIB = 1024;
/** The number of files to move, and the size of the largest one in MiB. */
const FILES = Number(process.env['MOVED_FILES'] ?? 60);
const MAX_MIB = Number(process.env['MOVED_FILE_MIB'] ?? 12);
const KILLS = 6;

const places = makeTestDirectory();
const dataDir = join(places, 'data');
const own = { KAFKA_BROKERS: '', DATABASE_URL: '' };
let s3: S3Server | undefined;
let product: StartedProduct | undefined;

afterAll(async () => {
  await product?.remove();
  await s3?.stop();
  rmSync(places, { recursive: true, force: true });
});

/** Downloads all files, and compares their hashes. */
async function expectAllRight(started: StartedProduct, files: readonly Uploaded[]): Promise<void> {
  for (const { id, sha256 } of files) {
    const hash = createHash('sha256');
    const answer = await fetch(`${started.url}/api/v1/Attachment/file/${id}`, {
      headers: administratorHeaders(started),
    });
    expect(answer.status).toBe(200);
    for await (const piece of answer.body ?? []) hash.update(piece);
    expect(hash.digest('hex')).toBe(sha256);
  }
}

/** Follows the redirect to the store, without credentials. */
async function expectRedirect(started: StartedProduct, file: Uploaded | undefined): Promise<void> {
  const answer = await fetch(`${started.url}/api/v1/Attachment/file/${file?.id}?redirect=1`, {
    headers: administratorHeaders(started),
    redirect: 'manual',
  });
  expect(answer.status).toBe(302);
  const signed = await fetch(answer.headers.get('location') ?? '');
  const bytes = Buffer.from(await signed.arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256);
  expect(signed.headers.get('content-disposition')).toMatch(/^attachment; filename="?a\.bin"?/);
}

/** Runs a command, and kills it after the time. Returns true if it was still running. */
async function runAndKill(args: readonly string[], env: NodeJS.ProcessEnv, afterMs: number) {
  const entry = join(import.meta.dirname, '..', '..', 'infra', 'cli', 'main.ts');
  const child = execFile(process.execPath, [entry, ...args], { env: { ...process.env, ...env } });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await Promise.race([exited, sleep(afterMs)]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await exited;
  return isRunning;
}

interface Moves {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly files: readonly Uploaded[];
}

/** Kills several runs, and returns how many were still running. */
async function killMoves(started: StartedProduct, { args, env, files }: Moves): Promise<number> {
  for (let round = 0; round < KILLS; round += 1) {
    if (!(await runAndKill(args, env, 900 + 350 * round))) return round;
    await expectAllRight(started, [...files.slice(round, round + 1), ...files.slice(-1)]);
  }
  return KILLS;
}

/** Sizes from 1 KiB to the largest one, most of them small. */
const sizes = Array.from({ length: FILES }, (_, index) =>
  Math.round(KIB * (MAX_MIB * KIB) ** (((index + 1) / FILES) ** 8)),
);

async function findStore(): Promise<NodeJS.ProcessEnv> {
  const provided = await provideS3Server();
  const directory = join(places, 'store');
  mkdirSync(directory);
  // Without an S3 server, the same is proven with a directory.
  if ('obstacle' in provided) return { FILES_STORE: `file://${directory}` };
  s3 = await startS3Server(provided.path, directory);
  await s3.createBucket('annals-moved');
  return s3.environment('annals-moved');
}

const countChunks = async ({ access }: StartedProduct): Promise<number> => {
  const [row] = await withClient(access().postgres.url, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from annals_files.chunks',
    );
    return rows;
  });
  return row?.n ?? -1;
};

it('files move between the log and a store and back, killed at any time, without losing a byte', async () => {
  const store = await findStore();
  const limits = { API_UPLOAD_LIMIT: '100', API_UPLOAD_UNATTACHED_LIMIT: '100000' };
  const start = async (env: NodeJS.ProcessEnv) =>
    startProduct({ infrastructure: 'own', dataDir, env: { ...limits, ...env } });
  const annals = async (args: readonly string[], env: NodeJS.ProcessEnv = store) =>
    runCli([...args, '--data-dir', dataDir, '--json'], { ...own, ...env });

  product = await start({});
  const files: Uploaded[] = [];
  for (const size of sizes) files.push(await uploadFile(product, size));
  const unset = await annals(['files', 'move', '--to', 'store'], { FILES_STORE: '' });
  expect([unset.code, unset.stderr]).toEqual([
    1,
    expect.stringContaining('FILES_STORE is not set'),
  ]);
  await product.stop();

  product = await start(store);
  await expectAllRight(product, files);
  files.push(await uploadFile(product, 3_000_000));
  for (const target of ['store', 'log'] as const) {
    const move = ['files', 'move', '--to', target];
    const args = [...move, '--data-dir', dataDir];
    const kills = await killMoves(product, { args, env: { ...own, ...store }, files });
    expect(kills).toBeGreaterThan(0);
    const { code, stdout, stderr } = await annals(move);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ to: target, missingCount: 0 });
    if (target === 'store') expect(await countChunks(product)).toBe(0);
    if (target === 'store' && s3 !== undefined) await expectRedirect(product, files[0]);
    await expectAllRight(product, files);
    const verified = await annals(['verify', '--files']);
    expect(verified.code, verified.stdout).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      files: files.length,
      inStore: target === 'store' ? files.length : 0,
    });
  }
  await product.stop();

  product = await start({});
  await expectAllRight(product, files);
  expect((await annals(['verify', '--files'], {})).code).toBe(0);
}, 3_600_000);
