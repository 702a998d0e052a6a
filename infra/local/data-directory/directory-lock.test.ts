import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
  it('refuses a directory whose holder lives, and names it', () => {
    lockDirectory(directory);

    expect(() => lockDirectory(directory)).toThrow(OperatorError);
    expect(() => lockDirectory(directory)).toThrow(`(process ${process.pid})`);
    expect(isDirectoryLocked(directory)).toBe(true);
  });

  it('can be taken again once it is released', () => {
    lockDirectory(directory).release();

    expect(isDirectoryLocked(directory)).toBe(false);
    lockDirectory(directory);
  });

  it('takes over from a process that is gone', () => {
    const { pid } = spawnSync('true');
    writeLock(JSON.stringify({ pid, identity: 'of the dead' }));

    lockDirectory(directory);

    expect(isDirectoryLocked(directory)).toBe(true);
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it('takes over when the number of the holder belongs to another process by now', () => {
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

  it('does not release what somebody else took over', () => {
    const lock = lockDirectory(directory);
    writeLock(JSON.stringify({ pid: 1, identity: 'another' }));

    lock.release();

    expect(existsSync(join(directory, 'lock'))).toBe(true);
  });
});
