import { describe, expect, it } from 'vitest';
import { rareParts } from './rare-parts.ts';

const common = new Set(['nam', 'ame', 'me1', 'the']);

describe('the rare parts of a text', () => {
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
  ])('of %s is %s', (text, part) => {
    expect(rareParts(text, common)).toBe(part);
  });

  it('is not known where nothing was counted', () => {
    expect(rareParts('name12345', undefined)).toBeUndefined();
  });
});
