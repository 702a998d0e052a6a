import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptKeys } from './adopt-keys.ts';

const names = ['secret-key', 'seed.json', 'password', 'kafka-password'];
let place: string;
let former: string;
let own: readonly [string, ...string[]];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'annals-keys-'));
  former = join(place, 'former');
  mkdirSync(former);
  mkdirSync(join(place, 'own'));
  own = [
    join(place, 'own', 'secret-key'),
    ...names.slice(1).map((name) => join(place, 'own', name)),
  ];
});

afterEach(() => rmSync(place, { recursive: true }));

const write = (directory: string, mark: string): void => {
  for (const name of names) writeFileSync(join(directory, name), `${name} ${mark}`);
};

it('copies the keys of the former volume, readable only by their owner', () => {
  write(former, 'of 0.1.0');
  expect(adoptKeys(former, own)).toBe(true);
  for (const [index, path] of own.entries()) {
    expect(readFileSync(path, 'utf8')).toBe(`${names[index]} of 0.1.0`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

it('keeps the existing keys of an installation', () => {
  write(former, 'of 0.1.0');
  write(join(place, 'own'), 'of this installation');
  expect(adoptKeys(former, own)).toBe(false);
  expect(readFileSync(own[0], 'utf8')).toBe('secret-key of this installation');
});

it('copies nothing for a new installation', () => {
  expect(adoptKeys(former, own)).toBe(false);
  expect(adoptKeys(join(place, 'nowhere'), own)).toBe(false);
});
