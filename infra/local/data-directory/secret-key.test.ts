import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import { provideSecretKey } from './secret-key.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'annals-key-')), 'secret.key');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

describe('the secret key of a data directory', () => {
  it('is generated once and readable only by its owner', () => {
    const key = provideSecretKey(path);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(provideSecretKey(path, true)).toBe(key);
  });

  it('is not generated again if there is data', () => {
    expect(() => provideSecretKey(path, true)).toThrow(OperatorError);
    expect(() => provideSecretKey(path, true)).toThrow(/restore it from a backup/);
    expect(existsSync(path)).toBe(false);
  });

  it('is rejected if its format is invalid', () => {
    writeFileSync(path, 'nonsense');
    expect(() => provideSecretKey(path)).toThrow(OperatorError);
  });
});
