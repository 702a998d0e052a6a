import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { aStoredFile } from '../../test/support/describe-file-store.ts';
import { StorageLow, Unavailable } from '../domain/errors.ts';
import { createS3Store } from './s3-store.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

function open(endpoint: string) {
  return createS3Store({
    kind: 's3',
    bucket: 'files',
    prefix: 'a/',
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    encryption: { algorithm: 'AES256', keyId: undefined },
  });
}

interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Starts a server that gives the same response to every request. */
async function answerAll(status: number, code: string) {
  const requests: Recorded[] = [];
  server = createServer((request, response) => {
    request.resume();
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers });
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(code === '' ? '' : `<Error><Code>${code}</Code><Message>no</Message></Error>`);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { requests, store: open(`http://127.0.0.1:${port}`) };
}

it('requests server-side encryption, and neither checksums, tags nor access lists', async () => {
  const { requests, store } = await answerAll(200, '');
  const file = aStoredFile(5);
  await store.put(file);
  expect(requests).toEqual([
    expect.objectContaining({
      method: 'PUT',
      url: expect.stringMatching(new RegExp(`^/files/a/files/${file.sha256}(\\?|$)`)),
    }),
  ]);
  const names = Object.keys(requests[0]?.headers ?? {});
  expect(requests[0]?.headers['x-amz-server-side-encryption']).toBe('AES256');
  expect(names.filter((name) => /checksum|tagging|acl/.test(name))).toEqual([]);
});

it.each([
  [404, 'NoSuchBucket', /bucket does not exist.*FILES_STORE/],
  [403, 'AccessDenied', /grant/],
  [403, 'SignatureDoesNotMatch', /FILES_SECRET_ACCESS_KEY/],
])('reports a %d %s with its remedy', async (status, code, remedy) => {
  const { store } = await answerAll(status, code);
  const error = await store.put(aStoredFile(5)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Unavailable);
  expect((error as Unavailable).remedy).toMatch(remedy);
});

it.each([
  [507, 'InsufficientStorage'],
  [400, 'XMinioStorageFull'],
])('reports a full store after a %d %s', async (status, code) => {
  const { store } = await answerAll(status, code);
  await expect(store.put(aStoredFile(5))).rejects.toThrow(StorageLow);
});

it('distinguishes a missing file from a missing bucket', async () => {
  const { store, requests } = await answerAll(404, '');
  const error = await store.sizeOf(aStoredFile(1).sha256).catch((caught: unknown) => caught);
  expect((error as Unavailable).remedy).toMatch(/bucket does not exist/);
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
});

it('throws Unavailable while no server responds', async () => {
  const store = open('http://127.0.0.1:1');
  const file = aStoredFile(1);
  await expect(store.put(file)).rejects.toThrow(Unavailable);
  await expect(store.sizeOf(file.sha256)).rejects.toThrow(Unavailable);
  await expect(store.read(file.sha256, { from: 0, to: 1 }).next()).rejects.toThrow(Unavailable);
});
