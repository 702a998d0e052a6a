import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { OperatorError } from '../operator-error.ts';
import { tryOr } from '../try-or.ts';

/** An operating system user. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user as whom Postgres runs, because it refuses to run as root: the owner of existing data, otherwise
 * `postgres` if the machine has that user, otherwise `nobody`. Undefined if Annals does not run as root; then
 * Postgres runs as the same user.
 */
export function chooseAccount(storage: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(storage, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (account !== undefined) return account;
  throw new OperatorError(
    'Postgres does not run as root, and this machine has neither a user `postgres` nor `nobody`: start Annals as another user, or set DATABASE_URL to a running Postgres.',
  );
}

/**
 * Returns whether the user can pass through every parent directory: a checkout below `/root` is closed to all other
 * users.
 */
export function canReach(account: Account, path: string): boolean {
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0;
}

function findAccount(name: string): Account | undefined {
  const readId = (option: string): number =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
  return tryOr(() => ({ uid: readId('-u'), gid: readId('-g') }), undefined);
}
