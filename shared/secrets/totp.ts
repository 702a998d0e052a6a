import { Secret, TOTP } from 'otpauth';

const PERIOD_MS = 30_000;
const issuer = 'Annals';
/** Codes of the previous and the next time step are also accepted, because phone clocks differ. */
const WINDOW = 1;

/**
 * Time-based one-time passwords (RFC 6238) with the settings that every authenticator app supports: SHA-1, six
 * digits, 30 seconds.
 */
function totpOf(secret: string, label = ''): TOTP {
  const settings = { algorithm: 'SHA1', digits: 6, period: PERIOD_MS / 1_000 } as const;
  return new TOTP({ ...settings, issuer, label, secret: Secret.fromBase32(secret) });
}

/** Returns 160 random bits in base 32, as RFC 4226 requires. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the URI in the QR code for an authenticator app. */
export function toTotpUri(secret: string, userName: string): string {
  return totpOf(secret, userName).toString();
}

/** Returns the time step of a code; undefined if the code is wrong. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  // The library throws for other characters, because it compares the lengths in bytes.
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / PERIOD_MS) + delta;
}

export function isTotpSecret(secret: string): boolean {
  return /^[A-Z2-7]{16,128}$/.test(secret);
}
