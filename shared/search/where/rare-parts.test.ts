import { describe, expect, it } from 'vitest';
import { rareParts } from './rare-parts.ts';

const common = new Set(['nam', 'ame', 'me1', 'the']);

describe('rareParts', () => {
  it.each([
    ['name12345', 'e12345'],
    ['name1', undefined],
    ['smith', undefined],
    ['the smith', 'smith'],
    ['name12345 theodore smith', 'e12345%heodore%smith'],

    ['soft*weather', 'soft%weath'],
    ['weathering*soft', 'hering%soft'],
    ['na', undefined],
    ['', undefined],
    ['100%_the\\', '100'],
    ['theöse', undefined],
  ])('maps %s to %s', (text, part) => {
    expect(rareParts(text, common)).toBe(part);
  });

  it('returns undefined if no trigrams were counted', () => {
    expect(rareParts('name12345', undefined)).toBeUndefined();
  });
});
