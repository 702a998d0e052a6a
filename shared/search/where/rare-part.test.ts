import { describe, expect, it } from 'vitest';
import { rarePart } from './rare-part.ts';

const common = new Set(['nam', 'ame', 'me1', 'the']);

describe('the rare part of a text', () => {
  it.each([
    ['name12345', 'e12345'],
    ['name1', undefined],
    ['smith', undefined],
    ['the smith', 'smith'],
    ['smithe jo', 'smith'],
    ['soft*weather', 'weath'],
    ['weathering*soft', 'hering'],
    ['na', undefined],
    ['', undefined],
    ['100%_the\\', '100'],
    ['theöse', undefined],
  ])('of %s is %s', (text, part) => {
    expect(rarePart(text, common)).toBe(part);
  });

  it('is not known where nothing was counted', () => {
    expect(rarePart('name12345', undefined)).toBeUndefined();
  });
});
