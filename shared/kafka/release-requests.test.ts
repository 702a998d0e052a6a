import SocketRequest from 'kafkajs/src/network/requestQueue/socketRequest.js';
import { expect, test, vi } from 'vitest';
import { releaseRequests } from './release-requests.ts';

releaseRequests();
const { completed } = SocketRequest.prototype;
releaseRequests();

function makeRequest() {
  const entry = { apiKey: 1, apiName: 'Fetch', apiVersion: 11, correlationId: 7 };
  const [resolve, reject, send, timeout] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
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

test('kafkajs is mended once', () => {
  expect(SocketRequest.prototype.completed).toBe(completed);
});
