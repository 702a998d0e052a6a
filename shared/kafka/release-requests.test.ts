import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import SocketRequest from 'kafkajs/src/network/requestQueue/socketRequest.js';
import { expect, test, vi } from 'vitest';
import { releaseRequests } from './release-requests.ts';

releaseRequests();
const { completed } = SocketRequest.prototype;
releaseRequests();

function makeRequest(resolve: () => unknown = vi.fn()) {
  const entry = { apiKey: 1, apiName: 'Fetch', apiVersion: 11, correlationId: 7 };
  const [reject, send, timeout] = [vi.fn(), vi.fn(), vi.fn()];
  const request = new SocketRequest({
    entry: { ...entry, resolve, reject },
    expectResponse: true,
    broker: 'localhost:9092',
    clientId: 'annals',
    requestTimeout: 1_000,
    send,
    timeout,
  });
  return { request, resolve, reject, send, timeout };
}

const released = { entry: undefined, sendRequest: undefined, timeoutHandler: undefined };

test('a request that is answered lets go of the answer', () => {
  const { request, resolve, send } = makeRequest();
  request.send();
  const payload = Buffer.from('answer');
  request.completed({ size: 6, payload });
  expect(send).toHaveBeenCalledOnce();
  expect(resolve).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ size: 6, payload }));
  expect(request).toMatchObject(released);
});

test('a request that fails, or is not answered in time, lets go as well', () => {
  const failed = makeRequest();
  const error = new Error('the connection is gone');
  failed.request.rejected(error);
  expect(failed.reject).toHaveBeenCalledExactlyOnceWith(error);
  expect(failed.request).toMatchObject(released);

  const late = makeRequest();
  late.request.send();
  late.request.timeoutRequest();
  expect(late.timeout).toHaveBeenCalledOnce();
  expect(late.reject).toHaveBeenCalledOnce();
  expect(late.request).toMatchObject(released);
});

test('what was made of an answer goes with the other young objects', () => {
  setFlagsFromString('--expose-gc');
  const gc: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < 100; round += 1) {
    const decoded = Array.from({ length: 5_000 }, (_, number) => ({ number }));
    const { request } = makeRequest(() => decoded);
    request.send();
    request.completed({ size: 0, payload: null });
    gc({ type: 'minor' });
  }
  // 20 MB were made.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
});

test('kafkajs is mended once', () => {
  expect(SocketRequest.prototype.completed).toBe(completed);
});
