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

describe('the message files', () => {
  const english = readMessages('en');
  const german = readMessages('de');

  it('have the same keys, placeholders and plural forms in German and English', () => {
    const shapeOf = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [
          key,
          {
            placeholders: [...new Set(text.match(/\{\w+\}/g))].sort(),
            forms: text.split(' | ').length,
          },
        ]),
      );
    expect(shapeOf(german)).toEqual(shapeOf(english));
  });

  it('prefix every key with the name of the file', () => {
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

  it('fills placeholders and keeps placeholders without a value', () => {
    expect(t('plain', { name: '<b>' })).toBe('Hello <b>');
    expect(t('plain')).toBe('Hello {name}');
  });

  it('formats numbers and selects the matching plural form', () => {
    expect(t('counted', { count: 1 })).toBe('1 file');
    expect(t('counted', { count: 1200 })).toBe('1,200 files');
  });
});
