import { expect, it } from 'vitest';
import { ConfigurationError, readEnv } from './env.ts';
import { readStorageSettings } from './storage-settings.ts';

function settings(env: Readonly<Record<string, string>>) {
  const read = readEnv(env);
  const found = readStorageSettings(read);
  read.done();
  return found;
}

it('defaults to no disks and no floor', () => {
  expect(settings({})).toEqual({ paths: [], floorBytes: undefined });
  expect(settings({ STORAGE_PATHS: '/, /proc', STORAGE_FLOOR: '100' })).toEqual({
    paths: ['/', '/proc'],
    floorBytes: 104_857_600,
  });
});

it.each([
  [{ STORAGE_PATHS: '/nowhere' }, 'STORAGE_PATHS names /nowhere, which does not exist'],
  [{ STORAGE_FLOOR: '63' }, "STORAGE_FLOOR must be an integer from 64 to 1000000, got '63'"],
])('rejects the settings %o', (env, problem) => {
  expect(() => settings(env)).toThrow(new ConfigurationError([problem]));
});
