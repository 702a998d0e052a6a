import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForStopSignals } from './stop-signals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('listenForStopSignals', () => {
  it('treats repeated signals from one Ctrl-C as a single request', async () => {
    const source = new EventEmitter();
    const force = vi.fn();
    const { requested } = listenForStopSignals(source, force);

    source.emit('SIGINT');
    vi.advanceTimersByTime(300);
    source.emit('SIGINT');
    source.emit('SIGTERM');
    await requested;

    expect(force).not.toHaveBeenCalled();
  });

  it('forces the stop on a later signal', () => {
    const source = new EventEmitter();
    const force = vi.fn();
    listenForStopSignals(source, force);

    source.emit('SIGINT');
    vi.advanceTimersByTime(1_500);
    source.emit('SIGINT');

    expect(force).toHaveBeenCalledOnce();
  });
});
