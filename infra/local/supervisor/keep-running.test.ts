import { describe, expect, it } from 'vitest';
import type { RunningChild } from '../processes/spawn-child.ts';
import { silentTerminal } from '../terminal.ts';
import { keepRunning, restartDelayMs } from './keep-running.ts';

describe('restartDelayMs', () => {
  it('doubles with every consecutive failure up to ten seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 100].map(restartDelayMs)).toEqual([
      0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });
});

function fakeChild(pid: number): RunningChild {
  const { promise: exited, resolve } = Promise.withResolvers<{ code: number; signal: null }>();
  let hasExited = false;
  const stop = async (): Promise<void> => {
    hasExited = true;
    resolve({ code: 0, signal: null });
  };
  return {
    name: 'api',
    pid,
    stdout: null,
    stderr: null,
    exited,
    hasExited: () => hasExited,
    stop,
    kill() {},
  };
}

describe('keepRunning', () => {
  it('restarts a service after a source change without counting a failure', async () => {
    const [first, second] = [fakeChild(1), fakeChild(2)];
    const printed: string[] = [];
    const warned: string[] = [];
    const changes = [Promise.resolve()];
    let isStopping = false;
    const started = Promise.withResolvers<number>();
    const part = {
      name: 'api',
      process: first,
      startAgain: async () => second,
      onStarted: async (pid: number) => started.resolve(pid),
      untilChange: async () => changes.shift() ?? new Promise(() => {}),
    };
    const kept = keepRunning(part, {
      terminal: {
        ...silentTerminal,
        print: (line) => printed.push(line),
        warn: (line) => warned.push(line),
      },
      isStopping: () => isStopping,
    });
    expect(await started.promise).toBe(2);
    isStopping = true;
    await second.stop();
    await kept;

    expect(first.hasExited()).toBe(true);
    expect(printed).toEqual([
      'The sources of api have changed: it is being started again',
      'api runs again (process 2)',
    ]);
    expect(warned).toEqual([]);
  });
});
