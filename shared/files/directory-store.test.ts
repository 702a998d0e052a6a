import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aStoredFile, describeFileStore } from '../../test/support/describe-file-store.ts';
import { makeTestDirectory } from '../../test/support/harness/test-infrastructure.ts';
import { Unavailable } from '../domain/errors.ts';
import { createDirectoryStore } from './directory-store.ts';

const directory = makeTestDirectory();
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describeFileStore('a directory', async () => createDirectoryStore(directory));

it('never creates its directory, which may be a file system that is not mounted', async () => {
  const missing = join(directory, 'missing');
  const store = createDirectoryStore(missing);
  const file = aStoredFile(3);
  await expect(store.put(file)).rejects.toThrow(Unavailable);
  await expect(store.sizeOf(file.sha256)).rejects.toThrow(Unavailable);
  await expect(store.notes.read('a')).rejects.toThrow(Unavailable);
  await expect(store.notes.list()).rejects.toThrow(Unavailable);
  await expect(store.list().next()).rejects.toThrow(Unavailable);
  expect(readdirSync(directory)).not.toContain('missing');
});

it('leaves nothing behind after a failed upload, and deletes old remains of killed ones', async () => {
  const place = join(directory, 'remains');
  mkdirSync(place);
  const store = createDirectoryStore(place);
  const { content, ...file } = aStoredFile(10);
  await expect(store.put({ ...file, pieces: [content.subarray(1)] })).rejects.toThrow();
  const unfinished = join(place, 'tmp');
  expect(readdirSync(unfinished)).toEqual([]);
  for (const name of ['old', 'new']) writeFileSync(join(unfinished, name), 'x');
  utimesSync(join(unfinished, 'old'), 1_000, 1_000);
  await store.deleteRemains(Date.now() - 60_000);
  expect(readdirSync(unfinished)).toEqual(['new']);
});
