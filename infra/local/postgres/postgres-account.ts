import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { OperatorError } from '../operator-error.ts';
import { tried } from '../tried.ts';

/** An operating system user, by number. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root. Root therefore lends it another user: the owner of the data if
 * there is any, else `postgres` where the machine has one, else `nobody`. Anybody else runs it himself.
 */
export function chooseAccount(storage: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(storage, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (account !== undefined) return account;
  throw new OperatorError(
    'Postgres does not run as root and this machine has no user `postgres` or `nobody` to lend it: start Annals as another user, or set DATABASE_URL to a running Postgres.',
  );
}

/** Whether the user may pass through every directory on the way: a checkout below `/root` is closed to all others. */
export function canReach(account: Account, path: string): boolean {
  return spawnSync('test', ['-x', path], { ...account, cwd: '/' }).status === 0;
}

function findAccount(name: string): Account | undefined {
  const ask = (option: string): number =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }));
  return tried(() => ({ uid: ask('-u'), gid: ask('-g') }), undefined);
}
