import { describe, expect, it } from 'vitest';
import { generateRecoveryCodes, normalizeRecoveryCode } from './recovery-codes.ts';

describe('recovery codes', () => {
  it('are ten different codes of two groups each', () => {
    const codes = generateRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  });

  it('are recognized in capitals, with spaces and without the hyphen', () => {
    for (const typed of ['abcde-23456', 'ABCDE 23456', ' abcde23456 ']) {
      expect(normalizeRecoveryCode(typed)).toBe('abcde23456');
    }
  });

  it('are not confused with authenticator codes or other texts', () => {
    for (const typed of [
      '123456',
      '',
      'abcde-2345',
      'abcde-234567',
      'abcde-2345ß',
      '0'.repeat(10),
    ]) {
      expect(normalizeRecoveryCode(typed)).toBeUndefined();
    }
  });
});
