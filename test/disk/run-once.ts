import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { type DiskImage, mountDiskImage } from '../support/disk-image.ts';
import { eventually } from '../support/eventually.ts';
import { createLogReader } from '../support/log-reader.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { runCli } from '../support/run-cli.ts';
import { makeTestDirectory } from '../support/test-infrastructure.ts';
import { createContacts, type DiskLoad, startDiskLoad } from './disk-load.ts';

export interface DiskOptions {
  readonly megabytes: number;
  /** Of the whole disk; undefined: as many as mkfs makes, and space is what runs out. */
  readonly inodes: number | undefined;
  /** What the disk holds: everything, or Kafka's or Postgres's part of the data directory. */
  readonly of: 'all' | 'kafka' | 'postgres';
}

export interface DiskReport {
  readonly acknowledged: number;
  /** With 507. */
  readonly refused: number;
  readonly unknown: ReadonlyMap<string, number>;
  readonly reads: DiskLoad['reads'];
  /** From the moment that room was made to the first acknowledged write: after the quiet filling, after the sudden one. */
  readonly secondsToGoOn: readonly number[];
  /** How often Kafka and Postgres ended for want of room, and were started again. */
  readonly ends: readonly [kafka: number, postgres: number];
  /** What Postgres said then. */
  readonly panics: readonly string[];
  /** Empty: nothing was found. */
  readonly violations: readonly string[];
}

const MIB = 2 ** 20;
const FIRST_CONTACTS = 2_000;
const FREED_BYTES = 100 * MIB;
const FULL_FOR_MS = 10_000;
const GOES_ON_WITHIN_MS = 30_000;
const FILLED_WITHIN_MS = 240_000;
/** So soon after writes go on the disk fills again: they are still under way then. */
const WRITING_MS = 500;
const patience = { timeoutMs: 60_000, intervalMs: 250 };

/** Fills the disk of an `npm start` twice, makes room again, and proves that nothing acknowledged is lost. */
export async function runDiskOnce(options: DiskOptions): Promise<DiskReport> {
  const disk = mountDiskImage(options);
  const place = makeTestDirectory();
  let product: StartedProduct | undefined;
  try {
    product = await startProduct({
      infrastructure: 'own',
      dataDir: makeDataDirectory(disk, place, options),
      env: { LOG_LEVEL: 'warn' },
    });
    return await Promise.race([fillTwice(product, disk, options), untilInterrupted()]);
  } catch (error) {
    const kept = join(tmpdir(), `annals-disk-failed-${Date.now()}`);
    if (product !== undefined) keepLogs(product, kept);
    throw new Error(`failed; logs are in ${kept}`, { cause: error });
  } finally {
    await product?.remove();
    await eventually(() => disk.remove(), patience);
    rmSync(place, { recursive: true, force: true });
  }
}

/** Rejects when this program is to end: what it has mounted and started goes first. */
async function untilInterrupted(): Promise<never> {
  const signal = await Promise.race(
    ['SIGINT', 'SIGTERM'].map(async (name) => {
      await once(process, name);
      return name;
    }),
  );
  throw new Error(`ended by ${signal}`);
}

function makeDataDirectory(disk: DiskImage, place: string, { of }: DiskOptions): string {
  if (of === 'all') return join(disk.path, 'annals');
  symlinkSync(disk.path, join(place, of));
  return place;
}

async function fillTwice(
  product: StartedProduct,
  disk: DiskImage,
  options: DiskOptions,
): Promise<DiskReport> {
  const api = createApiClient(product.url, withApiKey(product.access().apiKey));
  const known = await createContacts(api, FIRST_CONTACTS);
  // What is freed later has to be somebody else's.
  disk.take(FREED_BYTES);
  const load = startDiskLoad(api, known);
  const violations: string[] = [];
  const what = options.inodes === undefined ? 'bytes' : 'inodes';
  const secondsToGoOn: number[] = [];
  try {
    // Until the clients themselves have used up what they may, where that is space.
    if (what === 'bytes') {
      await eventually(() => requireRefused(load), { timeoutMs: FILLED_WITHIN_MS });
      if (load.reads.failed > 0) violations.push('reads failed while writes were refused');
    }
    // Then while nobody writes anything new, and in the midst of writing.
    for (const _ of ['quiet', 'sudden']) {
      disk.fill(what);
      await sleep(FULL_FOR_MS);
      secondsToGoOn.push(await goOn({ disk, load, violations }));
      await sleep(WRITING_MS);
    }
  } finally {
    await load.stop();
  }
  violations.push(...load.complaints, ...(await prove(product, api, load)));
  api.close();
  const { acknowledged, refused, unknown, reads } = load;
  return {
    acknowledged: acknowledged.length,
    refused: refused.length,
    unknown,
    reads,
    secondsToGoOn,
    ends: [endsOf('kafka', product), endsOf('postgres', product)],
    panics: panicsOf(product),
    violations,
  };
}

const endsOf = (name: string, { output }: StartedProduct): number =>
  output().split(`${name} ended`).length - 1;

function panicsOf({ dataDir }: StartedProduct): readonly string[] {
  const lines = readFileSync(join(dataDir, 'postgres', 'postgres.log'), 'utf8').split('\n');
  return lines.filter((line) => line.includes('PANIC:'));
}

function requireRefused(load: DiskLoad): void {
  if (!load.isRefused()) throw new Error('the disk does not fill');
}

async function goOn({
  disk,
  load,
  violations,
}: {
  readonly disk: DiskImage;
  readonly load: DiskLoad;
  readonly violations: string[];
}): Promise<number> {
  disk.giveBack(FREED_BYTES);
  const from = Date.now();
  try {
    await eventually(
      () => {
        if (load.lastAcknowledgedAt() < from) throw new Error('no write is taken');
      },
      { timeoutMs: 2 * GOES_ON_WITHIN_MS },
    );
  } catch (error) {
    throw new Error(`${disk.freeBytes() / MIB} MB, ${disk.freeInodes()} inodes free`, {
      cause: error,
    });
  }
  const ms = load.lastAcknowledgedAt() - from;
  if (ms > GOES_ON_WITHIN_MS) violations.push(`no write was taken for ${ms} ms`);
  return ms / 1000;
}

async function prove(
  product: StartedProduct,
  api: ApiClient,
  load: DiskLoad,
): Promise<readonly string[]> {
  for (const name of ['api', 'projector', 'dispatcher']) await product.waitUntilReady(name);
  const { code, stdout, stderr } = await runCli(['verify', '--data-dir', product.dataDir], {});
  return [
    ...(await missingInReads(api, load)),
    ...(await wrongInLog(product, load)),
    ...(code === 0 ? [] : [`verify: ${stdout}${stderr}`]),
  ];
}

async function missingInReads(api: ApiClient, { acknowledged }: DiskLoad) {
  const violations: string[] = [];
  const left = [...acknowledged];
  const readAll = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { id, key } = next;
      const answer = await api.get(`/Contact/${id}`);
      if (answer.status === 200 && recordIn(answer)['lastName'] === key) continue;
      violations.push(`${key} (${id}): ${answer.status} ${answer.text.slice(0, 100)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, readAll));
  return violations;
}

/** Every acknowledged write is there once, a refused one never. */
async function wrongInLog({ access }: StartedProduct, { acknowledged, refused }: DiskLoad) {
  const log = createLogReader(access().kafka);
  const events = await log.events(topicNames('annals').records).finally(() => log.close());
  const byKey = Map.groupBy(events, ({ commandId }) => commandId ?? '');
  const timesOf = (key: string): number => byKey.get(key)?.length ?? 0;
  return [
    ...acknowledged.filter(({ key }) => timesOf(key) !== 1).map(({ key }) => key),
    ...refused.filter((key) => timesOf(key) > 0),
  ].map((key) => `${key}: ${timesOf(key)} times in the log`);
}

function keepLogs({ dataDir, output }: StartedProduct, kept: string): void {
  cpSync(join(dataDir, 'logs'), join(kept, 'services'), { recursive: true });
  for (const name of ['kafka', 'postgres'])
    cpSync(join(dataDir, name, `${name}.log`), join(kept, `${name}.log`));
  process.stdout.write(output());
}
