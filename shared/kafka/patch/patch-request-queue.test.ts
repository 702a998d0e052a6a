import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { patchKafkajs } from './patch-kafkajs.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('requests on a connection', () => {
  it('time out without other traffic and are no longer checked after a close', () => {
    vi.useFakeTimers();
    patchKafkajs();
    let isConnected = true;
    const queue: RequestQueue = Object.create(RequestQueue.prototype);
    const timeoutRequest = vi.fn();
    const inflight = new Map([[1, { sentAt: Date.now(), requestTimeout: 10_000, timeoutRequest }]]);
    Object.assign(queue, { inflight, isConnected: () => isConnected });
    queue.scheduleRequestTimeoutCheck();

    vi.advanceTimersByTime(10_000);
    expect(timeoutRequest).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(timeoutRequest).toHaveBeenCalledOnce();

    isConnected = false;
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
