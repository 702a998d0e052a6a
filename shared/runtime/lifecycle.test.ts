import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

const log = pino({ level: 'silent' });

describe('a lifecycle', () => {
  afterEach(() => {
    process.exitCode = undefined;
  });

  it('closes everything once, newest first', async () => {
    const closed: string[] = [];
    const lifecycle = createLifecycle(log, 1_000);
    lifecycle.opened('pool', async () => closed.push('pool'));
    lifecycle.opened('server', async () => closed.push('server'));
    expect(lifecycle.isStopping()).toBe(false);
    await Promise.all([lifecycle.stop('test'), lifecycle.stop('again')]);
    expect(closed).toEqual(['server', 'pool']);
    expect(lifecycle.isStopping()).toBe(true);
  });

  it('continues closing after a failure and sets the exit code to 1', async () => {
    const closed: string[] = [];
    const lifecycle = createLifecycle(log, 1_000);
    lifecycle.opened('pool', () => closed.push('pool'));
    lifecycle.opened('server', async () => {
      throw new Error('stuck');
    });
    await lifecycle.stop('test');
    expect(closed).toEqual(['pool']);
    expect(process.exitCode).toBe(1);
  });
});
