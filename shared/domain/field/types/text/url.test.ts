import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { readUrl, type UrlRule } from './url.ts';

const website: UrlRule = {
  field: 'website',
  attribute: 'website',
  trim: true,
  maxLength: 255,
  pattern: null,
  patternMeaning: 'must match the pattern of the field',
  protocolRequired: false,
};
const target = { ...website, protocolRequired: true };

describe('readUrl', () => {
  it.each([
    ['example.com'],
    ['https://example.com'],
    ['HTTP://Example.com:8080/a/b?c=d&e=%20#f'],
    ['https://user:secret@example.com/'],
    ['http://127.0.0.1:3000'],
    ['http://[::1]:3000/x'],
    ['localhost'],
    ['m\u00fcller.example/stra\u00dfe'],
    ['ftp://example.com/file'],
  ])('accepts %j', (given) => {
    expect(outcomeOf((report) => readUrl(website, ` ${given} `, report))).toEqual({ kept: given });
  });

  it.each([
    ['not a url', 'valid'],
    ['https://', 'valid'],
    ['://example.com', 'valid'],
    ['https:///path', 'valid'],
    ['javascript://%0aalert(1)', 'valid'],
    ['javascript:alert(1)', 'valid'],
    ['mailto:a@example.com', 'valid'],
    ['example.com/<script>', 'valid'],
    ['example.com/a\tb', 'valid'],
    ['example.com:port', 'valid'],
    ['-', 'valid'],
    [`example.com/${'a'.repeat(255)}`, 'maxLength'],
    ['a'.repeat(254).concat('!'), 'valid'],
    [{ href: 'https://example.com' }, 'valid'],
  ])('rejects %j with %s', (given, type) => {
    expect(outcomeOf((report) => readUrl(website, given, report))).toEqual({ refused: [type] });
  });

  it('returns null for blank text', () => {
    expect(outcomeOf((report) => readUrl(target, ' ', report))).toEqual({ kept: null });
  });

  it('requires http or https if the protocol is required', () => {
    expect(outcomeOf((report) => readUrl(target, 'https://example.com/hook', report))).toEqual({
      kept: 'https://example.com/hook',
    });
    for (const given of [
      'example.com/hook',
      'ftp://example.com',
      'file:///etc/passwd',
      'https:/x',
    ]) {
      expect(outcomeOf((report) => readUrl(target, given, report))).toEqual({ refused: ['valid'] });
    }
  });
});
