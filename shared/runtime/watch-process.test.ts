import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchProcess } from './watch-process.ts';

describe('watching a process', () => {
  it('calls back only after the process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const gone = Promise.withResolvers<void>();
    let calls = 0;
    watchProcess({
      pid: child.pid ?? 0,
      intervalMs: 5,
      onGone: () => {
        calls += 1;
        gone.resolve();
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toBe(0);
    child.kill('SIGKILL');
    await gone.promise;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(calls).toBe(1);
  });

  it('treats a process that never existed as ended', async () => {
    const gone = Promise.withResolvers<void>();
    let calls = 0;
    watchProcess({
      pid: 2 ** 22 + 1,
      intervalMs: 5,
      onGone: () => {
        calls += 1;
        gone.resolve();
      },
    });
    await gone.promise;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(calls).toBe(1);
  });

  it('reports nothing after it is stopped', async () => {
    let calls = 0;
    const stop = watchProcess({
      pid: 2 ** 22 + 1,
      intervalMs: 5,
      onGone: () => {
        calls += 1;
      },
    });
    stop();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(calls).toBe(0);
  });
});
