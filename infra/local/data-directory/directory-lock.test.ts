import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import { processIdentity } from '../processes/process-identity.ts';
import { isDirectoryLocked, lockDirectory } from './directory-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const writeLock = (content: string): void => writeFileSync(join(directory, 'lock'), content);

describe('lockDirectory', () => {
  it('rejects a directory with a live holder and reports its pid', () => {
    lockDirectory(directory);

    expect(() => lockDirectory(directory)).toThrow(OperatorError);
    expect(() => lockDirectory(directory)).toThrow(`(process ${process.pid})`);
    expect(isDirectoryLocked(directory)).toBe(true);
  });

  it('locks the directory again after it was released', () => {
    lockDirectory(directory).release();

    expect(isDirectoryLocked(directory)).toBe(false);
    lockDirectory(directory);
  });

  it('takes over from a process that has exited', () => {
    const { pid } = spawnSync('true');
    writeLock(JSON.stringify({ pid, identity: 'of the dead' }));

    lockDirectory(directory);

    expect(isDirectoryLocked(directory)).toBe(true);
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it('takes over if another process has reused the pid of the holder', () => {
    writeLock(
      JSON.stringify({ pid: process.pid, identity: `not ${processIdentity(process.pid)}` }),
    );

    lockDirectory(directory);

    expect(isDirectoryLocked(directory)).toBe(true);
  });

  it.each(['', '{"pid":', '[]', '{"pid":"1"}'])('takes over a damaged lock: %j', (content) => {
    writeLock(content);

    lockDirectory(directory);

    expect(isDirectoryLocked(directory)).toBe(true);
  });

  it('rejects a locked directory even if its holder is unreadable', () => {
    lockDirectory(directory);
    writeLock('');

    expect(() => lockDirectory(directory)).toThrow(
      `Annals is already running on ${directory}: stop`,
    );
  });

  it('respects a lock that an earlier version wrote', () => {
    const identity = processIdentity(process.ppid);
    writeLock(JSON.stringify({ pid: process.ppid, identity }));

    expect(() => lockDirectory(directory)).toThrow(`(process ${process.ppid})`);
  });

  it('releases the lock when its process is killed', () => {
    const program = `const { lockDirectory } = await import('${join(import.meta.dirname, 'directory-lock.ts')}');
      lockDirectory(process.argv[1]); process.kill(process.pid, 'SIGKILL');`;
    const { signal } = spawnSync(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
      directory,
    ]);
    expect(signal).toBe('SIGKILL');

    lockDirectory(directory);
  });
});
