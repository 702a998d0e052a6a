import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import { backUpLog } from './back-up-log.ts';
import { isDirectoryLocked, lockDirectory } from './directory-lock.ts';

let directory: string;
let archive: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-backup-'));
  archive = join(directory, 'log.tgz');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function putLog(): void {
  mkdirSync(join(directory, 'kafka', 'data'), { recursive: true });
  mkdirSync(join(directory, 'postgres'));
  const secrets = ['kafka/password', 'kafka/server.properties', 'postgres/password', 'secret.key'];
  for (const name of ['kafka/data/segment', 'ports.json', ...secrets]) {
    writeFileSync(join(directory, name), name);
  }
}

const backUp = (env: NodeJS.ProcessEnv = {}): Promise<void> =>
  backUpLog({ directory, archive, env });

async function expectRefusal(says: RegExp, env?: NodeJS.ProcessEnv): Promise<void> {
  const refused = backUp(env);
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(says);
  expect(existsSync(archive)).toBe(false);
}

describe('a backup of the log', () => {
  it('has Kafka and the ports, neither Postgres nor any key or password, and lets the directory go', async () => {
    putLog();
    await backUp();
    const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    expect(names.toSorted()).toEqual(['kafka/', 'kafka/data/', 'kafka/data/segment', 'ports.json']);
    expect(isDirectoryLocked(directory)).toBe(false);
    expect(readdirSync(directory)).not.toContain('log.tgz.new');
  });

  it('is refused while Annals runs on the directory', async () => {
    putLog();
    const lock = lockDirectory(directory);
    await expectRefusal(/already runs on/);
    lock.release();
  });

  it('is refused where the log is elsewhere, and says where', async () => {
    await expectRefusal(/There is no log in/);
    await expectRefusal(/Kafka at broker:9092/, { KAFKA_BROKERS: 'broker:9092' });
    writeFileSync(join(directory, 'docker-volumes'), 'annals-1a2b3c4d\n');
    await expectRefusal(/Docker volume annals-1a2b3c4d-kafka/);
  });

  it('never replaces another one', async () => {
    putLog();
    await backUp();
    await expect(backUp()).rejects.toThrow(/is there already/);
  });

  it('is not there when tar fails', async () => {
    putLog();
    rmSync(join(directory, 'ports.json'));
    await expectRefusal(/tar could not write the backup: .*ports\.json/s);
  });
});
