import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { findTotpStep, generateTotpSecret, isTotpSecret, toTotpUri } from './totp.ts';

describe('a one-time password', () => {
  // From RFC 6238, appendix B: the last six of its eight digits.
  const secret = Secret.fromUTF8('12345678901234567890').base32;

  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is %s and belongs to its time step', (second, code) => {
    expect(findTotpStep(secret, code, second * 1_000)).toBe(Math.floor(second / 30));
  });

  it('is accepted one time step early or late, but not two', () => {
    const now = 1_234_567_890_000;
    const step = Math.floor(now / 30_000);
    for (const offset of [-30_000, 30_000]) {
      expect(findTotpStep(secret, '005924', now + offset)).toBe(step);
    }
    expect(findTotpStep(secret, '005924', now - 60_000)).toBeUndefined();
    expect(findTotpStep(secret, '005924', now + 60_000)).toBeUndefined();
  });

  it.each(['', '5924', '00592', '0059240', 'abcdef', '٠٠٥٩٢٤'])(
    'is rejected if it is %j',
    (code) => {
      expect(findTotpStep(secret, code, 1_234_567_890_000)).toBeUndefined();
    },
  );

  it('may contain a space', () => {
    expect(findTotpStep(secret, '005 924', 1_234_567_890_000)).toBeDefined();
  });
});

describe('a secret for one-time passwords', () => {
  it('has 160 bits in base 32 and a URI for authenticator apps', () => {
    const secret = generateTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(generateTotpSecret()).not.toBe(secret);
    expect(isTotpSecret(secret)).toBe(true);
    expect(toTotpUri(secret, 'ann@example')).toBe(
      `otpauth://totp/Annals:ann%40example?issuer=Annals&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });

  it.each(['', 'abc', 'JBSWY3DP', '0'.repeat(32), 'A'.repeat(200)])(
    'is rejected if it is %j',
    (text) => {
      expect(isTotpSecret(text)).toBe(false);
    },
  );
});
