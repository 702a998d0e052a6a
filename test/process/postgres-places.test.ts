import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

const isRoot = process.getuid?.() === 0;
const local = join(import.meta.dirname, '..', '..', 'infra', 'local');
const nobody = 65_534;
/**
 * Does what npm start does: locks the data directory, starts Postgres there, and prints where its data is if
 * it is elsewhere.
 */
const program = `
  import { join } from 'node:path';
  import { openDataDirectory } from '${local}/data-directory/open-data-directory.ts';
  import { describeRedirection } from '${local}/postgres/postgres-places.ts';
  import { startPostgres } from '${local}/postgres/start-postgres.ts';
  const { postgres, lock } = openDataDirectory(process.argv[1]);
  const { stop } = await startPostgres({ dataDir: postgres });
  await stop();
  lock.release();
  process.stdout.write(describeRedirection(postgres) ?? 'inside');
`;

const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function start(dataDir: string, umask: string, uid?: number): string {
  const line = `umask ${umask}; exec "$0" --input-type=module -e "$1" "$2"`;
  const { stdout, stderr } = spawnSync('sh', ['-c', line, process.execPath, program, dataDir], {
    cwd: '/',
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return stdout + stderr;
}

/** Returns a directory of the user in which the data directory can be created. */
function makePlace(uid?: number): string {
  const place = makeTestDirectory();
  made.push(place);
  if (uid !== undefined) spawnSync('chown', [`${uid}`, place]);
  return place;
}

describe.runIf(isRoot)('the data of Postgres', () => {
  it.each([
    ['root', '022', undefined],
    ['root', '077', undefined],
    ['another user', '022', nobody],
    ['another user', '077', nobody],
  ])('is in the data directory of %s under umask %s on every start', (_, umask, uid) => {
    const dataDir = join(makePlace(uid), 'new', 'annals');
    for (const other of [umask, umask, '022']) expect(start(dataDir, other, uid)).toBe('inside');
    expect(existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
  });

  it('is stored elsewhere with a message if its user cannot reach the data directory', () => {
    const closed = join(makePlace(), 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'annals');
    const message = start(dataDir, '077');
    const elsewhere = join(realpathSync(join(dataDir, 'postgres', 'data')), '..');
    made.push(elsewhere);
    expect(message).toContain(
      `Postgres keeps its data in ${elsewhere}, because the user that runs it`,
    );
    expect(start(dataDir, '022')).toBe(message);

    // As before a restore: a renamed data directory keeps its data where its link leads.
    const former = join(closed, 'former');
    renameSync(dataDir, former);
    const other = start(dataDir, '077');
    made.push(join(realpathSync(join(dataDir, 'postgres', 'data')), '..'));
    expect(other).toContain('Postgres keeps its data in');
    expect(other).not.toBe(message);
    expect(existsSync(join(former, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
    expect(start(former, '077')).toBe(message.replace(dataDir, former));
  });
});
