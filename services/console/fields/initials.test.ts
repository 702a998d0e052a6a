import { describe, expect, it } from 'vitest';
import { hashOf, initialsOf } from './initials.ts';

describe('initialsOf', () => {
  it('returns the first letters of the first and the last word', () => {
    expect(initialsOf('Ann Okafor')).toBe('AO');
    expect(initialsOf('Bergmann Maschinenbau GmbH & Co. KG')).toBe('BK');
    expect(initialsOf('lena von der hofer')).toBe('LH');
    expect(initialsOf('Élodie Ñandú')).toBe('ÉÑ');
    expect(initialsOf('𝒜nn 李')).toBe('𝒜李');
  });

  it('returns one letter for one word, and nothing for a name without letters', () => {
    expect(initialsOf('admin')).toBe('A');
    expect(initialsOf(' "Quoted" ')).toBe('Q');
    for (const name of ['', '   ', '—', '🙂']) expect(initialsOf(name)).toBe('');
  });
});

describe('hashOf', () => {
  it('distributes ids over the colours, and returns the same number for the same id', () => {
    const ids = Array.from({ length: 80 }, (_, number) => `0cb07265cfc1${number}b`);
    expect(new Set(ids.map((id) => hashOf(id) % 8)).size).toBe(8);
    expect(hashOf('admin')).toBe(hashOf('admin'));
    expect(Number.isSafeInteger(hashOf('𝒜'.repeat(1_000)))).toBe(true);
  });
});
