import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createLifecycle } from '../runtime/lifecycle.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { watchStorage } from './watch-storage.ts';

const log = pino({ level: 'silent' });
const more = 2 ** 60;

function watch(paths: readonly string[], floorBytes?: number) {
  const metrics = createMetrics('test');
  const lifecycle = createLifecycle(log, 1_000);
  return {
    ...watchStorage({ paths, floorBytes }, { metrics, lifecycle, log }),
    metrics,
    lifecycle,
  };
}

describe('watchStorage', () => {
  it('reports a disk that is nearly full', async () => {
    const { level, metrics, lifecycle } = watch(['/', tmpdir()], more);
    await vi.waitFor(() => expect(level()).toBe('scarce'));

    const text = await metrics.text();
    expect(text).toContain('annals_storage_low{path="/"} 1');
    expect(text).toContain(`annals_storage_floor_bytes{path="/"} ${more}`);
    expect(text).toMatch(/annals_storage_free_bytes\{path="\/"\} [1-9]/);
    await lifecycle.stop('test');
  });

  it('omits a disk that cannot be measured', async () => {
    const { level, metrics, lifecycle } = watch(['/nowhere', '/'], 1);
    await vi.waitFor(async () =>
      expect(await metrics.text()).toContain('annals_storage_low{path="/"} 0'),
    );
    expect(await metrics.text()).not.toContain('/nowhere');
    expect(level()).toBe('plenty');
    await lifecycle.stop('test');
  });

  it('waits until there is room or until the caller stops waiting', async () => {
    const { level, untilRoom, lifecycle } = watch(['/'], more);
    await vi.waitFor(() => expect(level()).toBe('scarce'));
    let isOver = false;
    let isDone = false;
    const waiting = untilRoom(() => isOver).then(() => {
      isDone = true;
    });
    await vi.waitFor(() => expect(level()).toBe('scarce'));
    expect(isDone).toBe(false);
    isOver = true;
    await waiting;
    await lifecycle.stop('test');
  });

  it('reports plenty of space if no disk is configured', async () => {
    const { level, untilRoom } = watch([]);
    await untilRoom(() => false);
    expect(level()).toBe('plenty');
  });
});
