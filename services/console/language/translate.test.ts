import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { translator } from './translate.ts';

const folder = join(import.meta.dirname, '..', 'messages');

function readMessages(language: string): Readonly<Record<string, string>> {
  const files = globSync(join(folder, language, '*.json'));
  expect(files.length).toBeGreaterThan(2);
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
}

describe('the texts of the console', () => {
  const english = readMessages('en');
  const german = readMessages('de');

  it('are complete in German, with the same places and forms', () => {
    const shapeOf = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [
          key,
          { places: [...new Set(text.match(/\{\w+\}/g))].sort(), forms: text.split(' | ').length },
        ]),
      );
    expect(shapeOf(german)).toEqual(shapeOf(english));
  });

  it('begin with the name of their file', () => {
    for (const language of ['en', 'de']) {
      for (const file of globSync(join(folder, language, '*.json'))) {
        const keys = Object.keys(JSON.parse(readFileSync(file, 'utf8')));
        const strays = keys.filter((key) => !key.startsWith(`${basename(file, '.json')}.`));
        expect(strays).toEqual([]);
      }
    }
  });
});

describe('translator', () => {
  const t = translator({ plain: 'Hello {name}', counted: '{count} file | {count} files' }, 'en');

  it('fills the places, and leaves those that nobody fills', () => {
    expect(t('plain', { name: '<b>' })).toBe('Hello <b>');
    expect(t('plain')).toBe('Hello {name}');
  });

  it('writes numbers, and the form that belongs to them', () => {
    expect(t('counted', { count: 1 })).toBe('1 file');
    expect(t('counted', { count: 1200 })).toBe('1,200 files');
  });
});
