import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChildRegistry } from './child-registry.ts';
import { endLeftovers } from './end-leftovers.ts';
import { findHolders, tryLockFile } from './file-lock.ts';
import { isSameProcess, processIdentity } from './process-identity.ts';
import { type RunningChild, spawnChild } from './spawn-child.ts';

let directory: string;
let children: RunningChild[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-run-'));
  children = [];
});

afterEach(async () => {
  for (const child of children) await child.stop();
  rmSync(directory, { recursive: true, force: true });
});

const sleeper = {
  name: 'sleeper',
  command: 'sleep',
  args: ['60'],
  stopSignal: 'SIGTERM',
  stopTimeoutMs: 1_000,
} as const;

async function spawnIn(lockDirectory: string, spec: Partial<typeof sleeper> = {}) {
  const child = await createChildRegistry(lockDirectory).spawn({ ...sleeper, ...spec });
  children.push(child);
  return child;
}

describe('endLeftovers', () => {
  it('ends leftover processes that were never recorded', async () => {
    const child = await spawnIn(join(directory, 'run'));

    expect(await endLeftovers(directory)).toEqual(['sleeper']);

    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(await endLeftovers(directory)).toEqual([]);
  });

  it('ends the children of a process that has exited', async () => {
    mkdirSync(join(directory, 'run'));
    const lock = tryLockFile(join(directory, 'run', 'shell'));
    const shell = await spawnChild({
      ...sleeper,
      command: 'sh',
      args: ['-c', 'sleep 60 & kill -9 $$'],
      inheritedFd: lock?.fd ?? -1,
    });
    lock?.release();
    await shell.exited;
    const [orphan = 0] = findHolders(join(directory, 'run', 'shell'));
    const identity = processIdentity(orphan) ?? '';

    expect(await endLeftovers(directory)).toEqual(['shell']);
    expect(isSameProcess(orphan, identity)).toBe(false);
  });

  it('ends a broker that an earlier version started', async () => {
    mkdirSync(join(directory, 'kafka', 'data'), { recursive: true });
    writeFileSync(join(directory, 'kafka', 'data', '.lock'), '');
    const broker = spawn('sh', ['-c', 'exec 7<>.lock; echo; exec sleep 60'], {
      cwd: join(directory, 'kafka', 'data'),
    });
    await new Promise((resolve) => broker.stdout.once('data', resolve));

    expect(await endLeftovers(directory)).toEqual(['kafka']);
    expect(broker.exitCode ?? broker.signalCode).toBe('SIGTERM');
  });

  it('ignores processes of other runs', async () => {
    await spawnIn(join(directory, 'other', 'run'));

    expect(await endLeftovers(directory)).toEqual([]);
  });
});

describe('the child registry', () => {
  it('waits until an earlier process with the same lock has exited', async () => {
    const first = await spawnIn(join(directory, 'run'));
    setTimeout(() => process.kill(first.pid, 'SIGKILL'), 300);
    const second = await spawnIn(join(directory, 'run'));

    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(second.hasExited()).toBe(false);
  });

  it('kills an earlier process that does not exit', { timeout: 20_000 }, async () => {
    const first = await spawnIn(join(directory, 'run'));
    const second = await spawnIn(join(directory, 'run'));

    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(second.hasExited()).toBe(false);
  });

  it('keeps the lock while the process lives, even if its parent releases it', async () => {
    const { pid } = await spawnIn(join(directory, 'run'));

    expect(tryLockFile(join(directory, 'run', 'sleeper'))).toBeUndefined();
    expect(findHolders(join(directory, 'run', 'sleeper'))).toEqual([pid]);
  });
});
