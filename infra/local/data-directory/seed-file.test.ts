import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { provideSeed, readSeedFile } from './seed-file.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'annals-seed-')), 'seed.json');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

describe('provideSeed', () => {
  it('generates strong credentials once and makes them readable only by their owner', () => {
    const seed = provideSeed(path);

    expect(seed.admin.password.length).toBeGreaterThanOrEqual(16);
    expect(seed.user.password).not.toBe(seed.admin.password);
    for (const key of [seed.apiKey.apiKey, seed.hmac.apiKey, seed.hmac.secretKey]) {
      expect(key).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(provideSeed(path)).toEqual(seed);
  });
});

describe('readSeedFile', () => {
  it('reports every missing field', () => {
    writeFileSync(
      path,
      JSON.stringify({ admin: { userName: 'a', password: 'b' }, user: 7, apiKey: {} }),
    );

    expect(() => readSeedFile(path)).toThrow(
      'is invalid: user.userName is missing, user.password is missing, apiKey.userName is missing, apiKey.apiKey is missing, hmac.userName is missing, hmac.apiKey is missing, hmac.secretKey is missing.',
    );
  });

  it.each(['', 'null', '[]', '{"admin":'])('rejects the content %j', (content) => {
    writeFileSync(path, content);

    expect(() => readSeedFile(path)).toThrow('it is not a JSON object');
  });
});
