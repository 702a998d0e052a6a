import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDirectoryLocked } from '../../local/data-directory/directory-lock.ts';
import { errorCode } from '../../local/operator-error.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('data directory');

const MEGABYTE = 1024 * 1024;
const LEAST_FREE_BYTES = 512 * MEGABYTE;
const FEW_FREE_BYTES = 4 * 1024 * MEGABYTE;
/** Of the data directory, of what containers were given, and of the local Kafka and Postgres. */
const privatePaths = [
  'access.json',
  'seed.json',
  'secret.key',
  'secret-key',
  'database-url',
  'run.json',
  'kafka',
  join('postgres', 'password'),
];

/** The files of an `npm start`: who can read them, and how much room they have. */
export function checkDataDirectory(directory: string | undefined): readonly Finding[] {
  if (directory === undefined) {
    return [ok('there is none: Kafka and Postgres are named by the environment')];
  }
  try {
    return [checkRun(directory), checkModes(directory), checkSpace(directory)].flat();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return [
      fault(`${directory} cannot be looked at (${code})`, 'run doctor as the user of Annals'),
    ];
  }
}

/** Ports are noted by `npm start` alone. */
function checkRun(directory: string): readonly Finding[] {
  if (!readdirSync(directory).includes('ports.json')) return [];
  return [
    isDirectoryLocked(directory)
      ? ok(`npm start runs on ${directory}`)
      : warning(`npm start does not run on ${directory}`, 'npm start, if it should'),
  ];
}

function checkModes(directory: string): Finding {
  const open = privatePaths.filter((name) => isOpenToOthers(join(directory, name)));
  if (open.length === 0) return ok('what is secret can be read by its owner alone');
  const paths = open.map((name) => join(directory, name)).join(' ');
  return fault(
    `others can read ${open.join(', ')}`,
    `chmod go= ${paths}; then change what they may have read (annals user rotate)`,
  );
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & 0o077) !== 0;
}

function checkSpace(directory: string): Finding {
  const { bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  const says = `${Math.floor(freeBytes / MEGABYTE)} MB are free on its disk`;
  if (freeBytes >= FEW_FREE_BYTES) return ok(says);
  const remedy = 'free some space, or move the data to a larger disk: a full one stops every write';
  return freeBytes < LEAST_FREE_BYTES ? fault(says, remedy) : warning(says, remedy);
}
