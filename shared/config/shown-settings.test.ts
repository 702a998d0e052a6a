import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { maskPasswords } from './shown-settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'annals-shown-'));
const file = join(directory, 'password');
writeFileSync(file, 'from the file\n');
afterAll(() => rmSync(directory, { recursive: true }));

function shownOf(env: Readonly<Record<string, string>>, chosen: readonly string[] = []) {
  const read = readEnv(env);
  read.int('A_LIMIT', { fallback: 20_000, min: 1 });
  read.durationMs('A_TIME', { fallback: '5m' });
  read.list('A_LIST', []);
  read.boolean('A_SWITCH', false);
  read.optionalText('A_PATH');
  read.int('A_FLOOR', { fallback: 0, isDerived: true });
  read.choice('A_LEVEL', ['info', 'warn'], 'info');
  read.optionalSecret('A_PASSWORD');
  read.optionalFile('A_KEY_FILE');
  const settings = read.shown(chosen);
  return new Map(settings.map(({ name, value, source }) => [name, [value, source]]));
}

describe('EnvReader.shown', () => {
  it('returns the effective value and its source', () => {
    const env = { A_LIMIT: ' 7 ', A_TIME: '', A_LIST: 'one, two', A_PATH: '/data' };
    expect(Object.fromEntries(shownOf(env, ['A_PATH', 'A_TIME']))).toEqual({
      A_FLOOR: [null, 'derived'],
      A_KEY_FILE: [null, 'unset'],
      A_LEVEL: ['info', 'default'],
      A_LIMIT: ['7', 'environment'],
      A_LIST: ['one, two', 'environment'],
      A_PASSWORD: [null, 'unset'],
      A_PATH: ['/data', 'start'],
      A_SWITCH: ['false', 'default'],
      A_TIME: ['5m', 'default'],
    });
  });

  it('sorts settings by name', () => {
    expect([...shownOf({}).keys()]).toEqual([...shownOf({}).keys()].toSorted());
  });

  it('reports whether a secret is set but never its value', () => {
    const given = shownOf({ A_PASSWORD: 'hush', A_KEY_FILE: file });
    expect(given.get('A_PASSWORD')).toEqual([null, 'environment']);
    expect(given.get('A_KEY_FILE')).toEqual([file, 'environment']);
    const fromFile = shownOf({ A_PASSWORD_FILE: file });
    expect(fromFile.get('A_PASSWORD')).toEqual([null, 'file']);
    for (const shown of [given, fromFile]) {
      expect(JSON.stringify([...shown])).not.toMatch(/hush|from the file/);
    }
  });

  it('masks passwords in addresses', () => {
    const addresses = 'x=1, postgres://ann:hu@sh@db:5432/a?sslmode=require, http://key@host/';
    expect(maskPasswords(addresses)).toBe(
      'x=1, postgres://***@db:5432/a?sslmode=require, http://***@host/',
    );
    expect(maskPasswords('//db/a?sslpassword=hush&x=1&apiKey=hush')).toBe(
      '//db/a?sslpassword=***&x=1&apiKey=***',
    );
    expect(shownOf({ A_PATH: 'http://ann:hush@proxy:1' }).get('A_PATH')?.[0]).toBe(
      'http://***@proxy:1',
    );
  });
});
