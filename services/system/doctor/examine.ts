import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { StorageSettings } from '../../../shared/config/storage-settings.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { MIB } from '../../../shared/storage/storage-floor.ts';
import { describeDisk, measureDisks } from '../status/measure-disks.ts';
import { acknowledgeFindings } from './acknowledge-findings.ts';
import { checkFiles } from './check-files.ts';
import { checkBrokers, checkCluster } from './check-kafka.ts';
import { checkBatches, checkLog } from './check-log.ts';
import { checkPostgres } from './check-postgres.ts';
import { checkReadModel } from './check-read-model.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { checkServices, type KnownAddresses } from './check-services.ts';
import { checkTopicSettings } from './check-topics.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { asCause, createMarker, type Finding, findingsAbout, toSentence } from './finding.ts';

export interface Examined {
  readonly faults: number;
  /** Without acknowledged warnings. */
  readonly warnings: number;
  /** Warnings that an administrator has acknowledged. */
  readonly acknowledged: number;
  readonly findings: readonly Finding[];
}

export function summarize(findings: readonly Finding[]): Examined {
  const countOf = (isCounted: (finding: Finding) => boolean) => findings.filter(isCounted).length;
  const acknowledged = countOf((finding) => finding.acknowledged !== undefined);
  return {
    faults: countOf(({ verdict }) => verdict === 'fault'),
    warnings: countOf(({ verdict }) => verdict === 'warning') - acknowledged,
    acknowledged,
    findings,
  };
}

/**
 * Checks all parts that every process can reach, and returns the findings. A quick examination does not read the log.
 */
export async function examineAll(
  observed: Observed,
  { isQuick }: { readonly isQuick: boolean },
): Promise<Examined> {
  const findings: Finding[] = [];
  const known = { processes: new Map<string, string>(), api: undefined, isQuick };
  await examine(observed, known, (found) => findings.push(...found));
  return summarize(findings);
}

/**
 * Checks all parts without changing anything. Reports each part as soon as its check is done, so that a part that hangs
 * does not hide the others. Causes come before their consequences.
 */
export async function examine(
  observed: Observed,
  known: KnownAddresses & { readonly isQuick?: boolean },
  report: (found: readonly Finding[]) => void,
): Promise<void> {
  const mark = createMarker();
  report(mark(await attempt('disk', () => checkStorage(observed.storage))));
  const brokers = await checkBrokers(observed);
  report(mark(brokers));
  const hasKafka = brokers.every(({ verdict }) => verdict !== 'fault');
  const contents = hasKafka ? openContents(observed) : undefined;
  const reportMarked = async (found: readonly Finding[]): Promise<void> => {
    const marked = mark(found);
    // Only warnings can be acknowledged. Other findings do not wait for the directory.
    const opened = marked.some(({ verdict }) => verdict === 'warning') ? await contents : undefined;
    const directory = opened?.directory;
    report(directory === undefined ? marked : acknowledgeFindings(marked, directory));
  };
  try {
    if (contents !== undefined) {
      await reportMarked(await attempt('Kafka', () => checkCluster(observed)));
      await reportMarked(await attempt('topics', () => checkTopicSettings(observed)));
    }
    await examineServices(observed, { ...known, ...(contents && { contents }) }, reportMarked);
  } finally {
    await contents?.then(({ close }) => close());
  }
}

/** Checks Postgres, the log, the processes, and the contents of the log and of the tables. */
async function examineServices(
  observed: Observed,
  { contents, ...known }: Parameters<typeof examine>[1] & { readonly contents?: Promise<Contents> },
  report: Report,
): Promise<void> {
  const hasKafka = contents !== undefined;
  const client = await connect(observed, report);
  try {
    if (client !== undefined) await report(await attempt('Postgres', () => checkPostgres(client)));
    if (hasKafka) await report(await attempt('log', () => checkLog(observed)));
    if (hasKafka && known.isQuick !== true) {
      await report(await attempt('log', () => checkBatches(observed)));
    }
    const services = await checkServices(observed, { ...known, hasKafka }).catch(
      (error: unknown) => ({
        presence: [couldNotBeChecked('services', error)],
        readiness: [],
      }),
    );
    await report(services.presence);
    if (hasKafka) await examineContents(observed, { client, contents: await contents }, report);
    await report(services.readiness);
  } finally {
    await client?.end();
  }
}

/** Checks the free space of Kafka and Postgres. */
async function checkStorage(storage: StorageSettings): Promise<readonly Finding[]> {
  const { ok, warning, fault } = findingsAbout('disk');
  if (storage.paths.length === 0) {
    const says = 'The disks of Kafka and Postgres are not monitored here (STORAGE_PATHS is empty).';
    return [ok({ code: 'disk.unmonitored', says })];
  }
  const disks = await measureDisks(storage);
  return disks.map((disk) => {
    const says = `The disk of ${disk.path} ${describeDisk(disk)}.`;
    const parameters = {
      path: disk.path,
      freeMegabytes: Math.floor(disk.freeBytes / MIB),
      freeInodes: disk.freeInodes,
      floorMegabytes: Math.floor(disk.floor.bytes / MIB),
    };
    if (!disk.isLow && !disk.isLowSoon) return ok({ code: 'disk.enough', says, parameters });
    return (disk.isLow ? fault : warning)({
      code: disk.isLow ? 'disk.full' : 'disk.almostFull',
      says,
      remedy: 'free some space, or move the data to a larger disk',
      parameters,
    });
  });
}

async function connect({ connect: open }: Observed, report: Report): Promise<Client | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const remedy = error.remedy ?? 'start it, open the network to it, or correct DATABASE_URL';
    const { fault } = findingsAbout('Postgres');
    const says = toSentence(error.message);
    const parameters = { reason: error.message.replace(/^Postgres /, '') };
    await report([asCause(fault({ code: 'postgres.unreachable', says, remedy, parameters }))]);
    return undefined;
  }
}

type Report = (found: readonly Finding[]) => Promise<void>;

const DIRECTORY_WITHIN_MS = 30_000;

/** The log and the directory; the error if the directory cannot be read. */
type Contents = { readonly close: () => Promise<unknown> } & (
  | { readonly directory: Directory; readonly connection: KafkaConnection }
  | { readonly directory?: undefined; readonly error: unknown }
);

/** Never rejects. */
async function openContents(observed: Observed): Promise<Contents> {
  const opened: { close: () => Promise<unknown> }[] = [];
  const close = () => Promise.all(opened.map((one) => one.close()));
  try {
    const { topics, log } = observed;
    const kafka = await toLogAddress(observed);
    const connection = createKafkaConnection(kafka, log);
    const follower = followDirectory(kafka, topics.directory, log);
    opened.push(connection, follower);
    return { directory: await readDirectory(follower), connection, close };
  } catch (error) {
    return { error, close };
  }
}

/** Checks the contents of the log and of the tables. */
async function examineContents(
  observed: Observed,
  { client, contents }: { readonly client: Client | undefined; readonly contents: Contents },
  report: Report,
): Promise<void> {
  if (contents.directory === undefined) {
    await report([couldNotBeChecked('directory', contents.error)]);
    return;
  }
  const { directory, connection } = contents;
  await report([checkSecretKey(observed.secretKey, directory)]);
  if (client === undefined) return;
  const deps = { ...observed, client, connection, directory };
  await report(await attempt('read model', () => checkReadModel(deps)));
  await report(await attempt('files', () => checkFiles(client, observed)));
  await report(await attempt('webhooks', () => checkWebhooks(deps)));
}

async function readDirectory(follower: ReturnType<typeof followDirectory>): Promise<Directory> {
  const tooLate = sleep(DIRECTORY_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not read within ${DIRECTORY_WITHIN_MS / 1000} s`);
  });
  await Promise.race([follower.catchUp(), tooLate]);
  return follower.directory;
}

/** Turns the failure of a check into a finding, so that the other checks still run. */
async function attempt(
  about: string,
  check: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    return [couldNotBeChecked(about, error)];
  }
}

function couldNotBeChecked(about: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Unavailable ? error.remedy : undefined;
  return findingsAbout(about).fault({
    code: 'check.failed',
    says: `A check failed (${about}): ${toSentence(reason)}`,
    remedy: remedy ?? 'fix the problems above and run doctor again',
    parameters: { reason },
  });
}
