import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { type DiskImage, mountDiskImage } from '../support/disk-image.ts';
import { eventually } from '../support/eventually.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { createContacts, type DiskLoad, startDiskLoad } from './disk-load.ts';
import {
  type DiskContent,
  type Installation,
  startContainersOnDisk,
  startOnDisk,
} from './installation.ts';

export interface DiskOptions {
  readonly megabytes: number;
  /** Inodes of the disk, which then run out instead of space; undefined: as many as mkfs creates. */
  readonly inodes: number | undefined;
  readonly of: DiskContent;
  /** Instead of `npm start`. */
  readonly inContainers: boolean;
}

export interface DiskReport {
  readonly acknowledged: number;
  /** Number of writes rejected with 507. */
  readonly refused: number;
  readonly unknown: ReadonlyMap<string, number>;
  readonly reads: DiskLoad['reads'];
  /**
   * Seconds from freeing space to the first acknowledged write: after the slow filling, the sudden one, and
   * those during starts.
   */
  readonly secondsToGoOn: readonly number[];
  /** How often Kafka and Postgres exited for lack of space, and were restarted. */
  readonly ends: readonly [kafka: number, postgres: number];
  /** The messages of Postgres at these exits. */
  readonly panics: readonly string[];
  /** Empty if no violation was found. */
  readonly violations: readonly string[];
}

const MIB = 2 ** 20;
const FIRST_CONTACTS = 2_000;
const FREED_BYTES = 100 * MIB;
const FULL_FOR_MS = 10_000;
const GOES_ON_WITHIN_MS = 30_000;
const FILLED_WITHIN_MS = 240_000;
/** The disk fills again this long after writes resume, while they are in progress. */
const WRITING_MS = 500;
/**
 * Times after which the space is gone again while Kafka starts: during the start of Java, while it reads its
 * log, and afterwards.
 */
const STARTING_MS = [1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 5_000];
const ENDS_WITHIN_MS = 4_000;
const patience = { timeoutMs: 60_000, intervalMs: 250 };

/** Repeatedly fills the disk of an Annals, frees space, and proves that nothing acknowledged is lost. */
export async function runDiskOnce(options: DiskOptions): Promise<DiskReport> {
  const disk = mountDiskImage(options);
  const start = options.inContainers ? startContainersOnDisk : startOnDisk;
  let installation: Installation | undefined;
  try {
    installation = await start(disk, options.of);
    return await Promise.race([fillOften(installation, disk, options), interrupted]);
  } catch (error) {
    const kept = join(tmpdir(), `annals-disk-failed-${Date.now()}`);
    await installation?.keepLogs(kept);
    throw new Error(`failed; logs are in ${kept}`, { cause: error });
  } finally {
    await installation?.remove();
    await eventually(() => disk.remove(), patience);
  }
}

/** Rejects on a signal, so that mounts and processes are cleaned up before the exit. */
const interrupted: Promise<never> = Promise.race(
  ['SIGINT', 'SIGTERM'].map(async (name) => {
    await once(process, name);
    throw new Error(`stopped by ${name}`);
  }),
);
interrupted.catch(() => undefined);

async function fillOften(
  installation: Installation,
  disk: DiskImage,
  options: DiskOptions,
): Promise<DiskReport> {
  const api = createApiClient(installation.url, withApiKey(installation.apiKey));
  const known = await createContacts(api, FIRST_CONTACTS);
  // Reserved, so that the space that is freed later does not belong to Annals.
  disk.take(FREED_BYTES);
  const load = startDiskLoad(api, known);
  const violations: string[] = [];
  const what = options.inodes === undefined ? 'bytes' : 'inodes';
  const secondsToGoOn: number[] = [];
  try {
    // Slowly: until the clients themselves have used up the space.
    if (what === 'bytes') {
      await eventually(() => requireRefused(load), { timeoutMs: FILLED_WITHIN_MS });
      if (load.reads.failed > 0) violations.push('reads failed while writes were rejected');
    }
    // Then suddenly: without new writes, during writes, and during each start of Kafka.
    for (const filling of ['quiet', 'sudden', 'starts']) {
      disk.fill(what);
      await sleep(FULL_FOR_MS);
      if (filling === 'starts') await fillDuringStarts(disk, what);
      secondsToGoOn.push(await goOn({ disk, load, violations }));
      await sleep(WRITING_MS);
    }
  } finally {
    await load.stop();
  }
  violations.push(...load.complaints, ...(await prove(installation, api, load)));
  api.close();
  const { acknowledged, refused, unknown, reads } = load;
  return {
    acknowledged: acknowledged.length,
    refused: refused.length,
    unknown,
    reads,
    secondsToGoOn,
    ends: await installation.ends(),
    panics: await installation.panics(),
    violations,
  };
}

async function fillDuringStarts(disk: DiskImage, what: 'bytes' | 'inodes'): Promise<void> {
  for (const ms of STARTING_MS) {
    disk.releaseSpace(FREED_BYTES);
    await sleep(ms);
    disk.fill(what);
    await sleep(ENDS_WITHIN_MS);
  }
}

function requireRefused(load: DiskLoad): void {
  if (!load.isRefused()) throw new Error('the disk does not fill up');
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
  disk.releaseSpace(FREED_BYTES);
  const from = Date.now();
  try {
    await eventually(
      () => {
        if (load.lastAcknowledgedAt() < from) throw new Error('no write succeeds');
      },
      { timeoutMs: 2 * GOES_ON_WITHIN_MS },
    );
  } catch (error) {
    throw new Error(`${disk.freeBytes() / MIB} MB, ${disk.freeInodes()} inodes free`, {
      cause: error,
    });
  }
  const ms = load.lastAcknowledgedAt() - from;
  if (ms > GOES_ON_WITHIN_MS) violations.push(`no write succeeded for ${ms} ms`);
  return ms / 1000;
}

async function prove(
  installation: Installation,
  api: ApiClient,
  load: DiskLoad,
): Promise<readonly string[]> {
  await installation.untilReady();
  const found = await installation.verify();
  return [
    ...(await missingInReads(api, load)),
    ...(await wrongInLog(installation, load)),
    ...(found === '' ? [] : [`verify: ${found}`]),
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

/** Checks that the log has every acknowledged write once, and no rejected one. */
async function wrongInLog({ kafka }: Installation, { acknowledged, refused }: DiskLoad) {
  const log = createLogReader(kafka);
  const events = await log.events(topicNames('annals').records).finally(() => log.close());
  const byKey = Map.groupBy(events, ({ commandId }) => commandId ?? '');
  const timesOf = (key: string): number => byKey.get(key)?.length ?? 0;
  return [
    ...acknowledged.filter(({ key }) => timesOf(key) !== 1).map(({ key }) => key),
    ...refused.filter((key) => timesOf(key) > 0),
  ].map((key) => `${key}: ${timesOf(key)} times in the log`);
}
