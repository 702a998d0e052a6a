import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, findingsAbout, nameSome } from '../../../services/system/doctor/finding.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { isDirectoryLocked } from '../../local/data-directory/directory-lock.ts';
import { readJsonIfPresent } from '../../local/data-directory/private-file.ts';
import { findStrayTopics, strayRemedy } from '../../local/kafka/recovery/partition-directory.ts';
import { kafkaLogDirectory } from '../../local/kafka/start-kafka.ts';
import { errorCode } from '../../local/operator-error.ts';

const { ok, warning, fault } = findingsAbout('data directory');

/** The private files in a data directory: those of `npm start`, of containers, and of the local Kafka and Postgres. */
const privatePaths = [
  'access.json',
  'starting.json',
  'seed.json',
  'secret.key',
  'secret-key',
  'database-url',
  'password',
  'kafka-password',
  'kafka',
  join('postgres', 'password'),
];

/**
 * Checks the files of an `npm start` and their permissions. `secretKey` comes from the environment or the directory.
 */
export function checkDataDirectory(
  directory: string | undefined,
  secretKey: string | undefined,
): readonly Finding[] {
  if (directory === undefined) {
    const says = 'No data directory is used: the environment configures Kafka and Postgres.';
    return [ok({ code: 'data.unused', says })];
  }
  try {
    const isStarted = readdirSync(directory).includes('ports.json');
    return [
      ...(isStarted ? [checkRun(directory), ...checkServers(directory)] : []),
      checkModes(directory),
      ...checkStray(directory),
      ...(isStarted && secretKey === undefined ? [missingKey] : []),
    ];
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return [
      fault({
        code: 'data.unreadable',
        says: `The data directory ${directory} cannot be read (${code}).`,
        remedy: 'run doctor as the user that runs Annals',
      }),
    ];
  }
}

/** The first start creates the key, so a directory with data but without a key has lost its key. */
const missingKey = fault({
  code: 'data.keyMissing',
  says: 'The data directory lacks secret.key.',
  remedy: 'restore it from a backup before you start',
});

function checkRun(directory: string): Finding {
  return isDirectoryLocked(directory)
    ? ok({ code: 'data.running', says: `npm start is running in ${directory}.` })
    : warning({
        code: 'data.stopped',
        says: `npm start is not running in ${directory}.`,
        remedy: 'run npm start if it should be running',
      });
}

/**
 * Checks that the directories of Kafka and Postgres still exist, if the run that wrote access.json started these
 * servers.
 */
function checkServers(directory: string): readonly Finding[] {
  const processes = toObject(
    toObject(readJsonIfPresent(join(directory, 'access.json')))['processes'],
  );
  return (['kafka', 'postgres'] as const).flatMap((part) => {
    const path = join(directory, part, 'data');
    if (typeof processes[part] !== 'number' || existsSync(path)) return [];
    return [
      fault({
        code: 'data.deleted',
        says: `The data directory lacks ${path}: the data of ${serverNames[part]} was deleted.`,
        remedy: lostRemedies[part],
      }),
    ];
  });
}

const serverNames = { kafka: 'Kafka', postgres: 'Postgres' } as const;
const lostRemedies = {
  kafka:
    'stop Annals, then restore a backup, or run annals rebuild-log, which rewrites the log from Postgres',
  postgres: 'stop Annals and start it again; a new Postgres is then filled from Kafka',
} as const;

/** Checks the Kafka that `npm start` runs on this machine for stray partitions. */
function checkStray(directory: string): readonly Finding[] {
  const stray = findStrayTopics(kafkaLogDirectory(join(directory, 'kafka')));
  return stray.length === 0
    ? []
    : [
        fault({
          code: 'data.stray',
          says: `The data directory has partitions of ${nameSome(stray)} that Kafka set aside as stray.`,
          remedy: strayRemedy,
        }),
      ];
}

function checkModes(directory: string): Finding {
  const open = privatePaths.filter((name) => isOpenToOthers(join(directory, name)));
  if (open.length === 0) {
    return ok({ code: 'data.private', says: 'Only the owner can read secret files.' });
  }
  const paths = open.map((name) => join(directory, name)).join(' ');
  return fault({
    code: 'data.open',
    says: `Other users can read ${open.join(', ')}.`,
    remedy: `chmod go= ${paths}; then replace the credentials in them (annals user rotate)`,
  });
}

/**
 * Kubernetes mounts Secrets as files of root, which a process of another user can read only as a member of their group.
 */
function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const isMounted = found.uid === 0 && process.getuid?.() !== 0;
  return (found.mode & (isMounted ? 0o007 : 0o077)) !== 0;
}
