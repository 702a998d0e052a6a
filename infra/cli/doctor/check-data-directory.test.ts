import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lockDirectory } from '../../local/data-directory/directory-lock.ts';
import { checkDataDirectory } from './check-data-directory.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-doctor-'));
  writeFileSync(join(directory, 'access.json'), '{}', { mode: 0o600 });
});

afterEach(() => rmSync(directory, { recursive: true }));

const key = 'ab'.repeat(32);
const verdicts = (...[secretKey]: readonly [string?]) =>
  checkDataDirectory(directory, secretKey).map(({ verdict, says }) => [verdict, says]);

it('reports no fault if only the owner can read the secrets', () => {
  expect(verdicts(key)[0]).toEqual(['ok', 'Only the owner can read secret files.']);
});

it('lists files that others can read', () => {
  chmodSync(join(directory, 'access.json'), 0o640);
  expect(verdicts(key)[0]).toEqual(['fault', 'Other users can read access.json.']);
});

it.skipIf(process.getuid?.() !== 0)(
  'accepts secrets of root that only the group can read, as Kubernetes mounts them',
  () => {
    const user = vi.spyOn(process, 'getuid').mockReturnValue(1000);
    chmodSync(join(directory, 'access.json'), 0o440);
    expect(verdicts(key)[0]).toEqual(['ok', 'Only the owner can read secret files.']);
    chmodSync(join(directory, 'access.json'), 0o444);
    expect(verdicts(key)[0]).toEqual(['fault', 'Other users can read access.json.']);
    user.mockRestore();
  },
);

it('reports whether npm start is running in the directory', () => {
  writeFileSync(join(directory, 'ports.json'), '{}');
  expect(verdicts(key)[0]).toEqual(['warning', `npm start is not running in ${directory}.`]);
  const lock = lockDirectory(directory);
  expect(verdicts(key)[0]).toEqual(['ok', `npm start is running in ${directory}.`]);
  lock.release();
});

it('reports partitions that Kafka set aside', () => {
  const stray = `annals.records-0.${'a'.repeat(32)}-stray`;
  const path = join(directory, 'kafka', 'data', stray);
  mkdirSync(path, { recursive: true });
  chmodSync(join(directory, 'kafka'), 0o700);
  writeFileSync(join(path, 'partition.metadata'), 'version: 0\ntopic_id: rlM5a1XvSuu6N_sX2FotMg\n');
  expect(verdicts(key)[1]).toEqual([
    'fault',
    'The data directory has partitions of annals.records that Kafka set aside as stray.',
  ]);
});

it('reports a missing key if Annals was started before', () => {
  expect(verdicts()).toHaveLength(1);
  writeFileSync(join(directory, 'ports.json'), '{}');
  expect(verdicts()).toContainEqual(['fault', 'The data directory lacks secret.key.']);
});
