import { styleText } from 'node:util';
import type { Client } from 'pg';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { askDatabase } from '../../local/postgres/ask-database.ts';
import type { CommandContext } from '../command-context.ts';
import { checkDataDirectory } from '../doctor/check-data-directory.ts';
import { checkFiles } from '../doctor/check-files.ts';
import { checkBrokers, checkCluster } from '../doctor/check-kafka.ts';
import { checkLog } from '../doctor/check-log.ts';
import { checkPostgres } from '../doctor/check-postgres.ts';
import { checkReadModel } from '../doctor/check-read-model.ts';
import { checkSecretKey } from '../doctor/check-secret-key.ts';
import { checkServices } from '../doctor/check-services.ts';
import { checkStorage } from '../doctor/check-storage.ts';
import { checkTopicSettings } from '../doctor/check-topics.ts';
import { checkWebhooks } from '../doctor/check-webhooks.ts';
import { type Finding, findingsAbout } from '../doctor/finding.ts';
import type { Installation } from '../installation.ts';
import { toLogAddress } from '../log-address.ts';

/** `annals doctor`: changes nothing. The exit code is 1 if there is a fault. */
export async function doctor({ installation, isJson, output }: CommandContext): Promise<number> {
  const findings: Finding[] = [];
  const tell = (found: readonly Finding[]): void => {
    findings.push(...found);
    for (const finding of isJson ? [] : found) output.print(toLine(finding));
  };
  await examine(installation, tell);
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
  const warnings = findings.filter(({ verdict }) => verdict === 'warning').length;
  output.print(
    isJson
      ? JSON.stringify({ faults, warnings, findings })
      : `${findings.length} checks, ${warnings} warnings, ${faults} faults.`,
  );
  return faults === 0 ? 0 : 1;
}

/** Tells of each part as soon as it is known, so that one that hangs does not hide the others. */
async function examine(
  installation: Installation,
  tell: (found: readonly Finding[]) => void,
): Promise<void> {
  tell(checkDataDirectory(installation.dataDir));
  tell(await attempt('disk', () => checkStorage(installation.storage)));
  const brokers = await checkBrokers(installation);
  tell(brokers);
  const hasKafka = brokers.every(({ verdict }) => verdict !== 'fault');
  const client = await connect(installation, tell);
  try {
    if (hasKafka) {
      tell(await attempt('Kafka', () => checkCluster(installation)));
      tell(await attempt('topics', () => checkTopicSettings(installation)));
    }
    if (client !== undefined) tell(await attempt('Postgres', () => checkPostgres(client)));
    tell(await attempt('services', () => checkServices(installation, { hasKafka })));
    if (hasKafka) tell(await attempt('log', () => checkLog(installation)));
    if (hasKafka) await examineContents(installation, client, tell);
  } finally {
    await client?.end();
  }
}

async function connect(
  { databaseUrl, connect: open }: Installation,
  tell: (found: readonly Finding[]) => void,
): Promise<Client | undefined> {
  const answer = await askDatabase(databaseUrl);
  if (answer === 'answers') return open();
  const remedy = 'start it, open the network to it, or correct DATABASE_URL';
  tell([findingsAbout('Postgres').fault(`does not answer (${answer})`, remedy)]);
  return undefined;
}

const DIRECTORY_WITHIN_MS = 30_000;

/** What stands in the log and in the tables. */
async function examineContents(
  installation: Installation,
  client: Client | undefined,
  tell: (found: readonly Finding[]) => void,
): Promise<void> {
  const { topics, log } = installation;
  const kafka = await toLogAddress(installation);
  const connection = createKafkaConnection(kafka, log);
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    const directory = await readDirectory(follower);
    tell([checkSecretKey(installation, directory)]);
    if (client === undefined) return;
    const deps = { ...installation, client, connection, directory };
    tell(await attempt('read model', () => checkReadModel(deps)));
    tell(await attempt('files', () => checkFiles(client)));
    tell(await attempt('webhooks', () => checkWebhooks(deps)));
  } catch (error) {
    tell([couldNotBeChecked('directory', error)]);
  } finally {
    await Promise.all([follower.close(), connection.close()]);
  }
}

async function readDirectory(follower: ReturnType<typeof followDirectory>): Promise<Directory> {
  const late = AbortSignal.timeout(DIRECTORY_WITHIN_MS);
  const tooLate = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () =>
      reject(new Error(`not read within ${DIRECTORY_WITHIN_MS / 1000} s`)),
    );
  });
  await Promise.race([follower.catchUp(), tooLate]);
  return follower.directory;
}

/** A check that fails says so and lets the others go on. */
async function attempt(
  about: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [couldNotBeChecked(about, error)];
  }
}

function couldNotBeChecked(about: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Unavailable ? error.remedy : undefined;
  return findingsAbout(about).fault(
    `could not be checked (${reason})`,
    remedy ?? 'mend what stands above, then look again',
  );
}

const colors = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

/** Coloured on a terminal, unless NO_COLOR is set. */
function toLine({ verdict, about, says, remedy }: Finding): string {
  const mark = styleText(colors[verdict], verdict.padEnd(7), { stream: process.stdout });
  return `${mark}  ${about} ${says}${remedy === undefined ? '' : `. Remedy: ${remedy}`}`;
}
