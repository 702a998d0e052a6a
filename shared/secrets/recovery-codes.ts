import { randomInt } from 'node:crypto';

const CODES = 10;
const GROUP = 5;
/** Without i, l, o, 0 and 1, which are easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const form = new RegExp(`^[${alphabet}]{${2 * GROUP}}$`);

/** Generates codes in place of a lost authenticator, each with 49 random bits in the form `abcde-23456`. */
export function generateRecoveryCodes(): readonly string[] {
  return Array.from({ length: CODES }, () => `${randomGroup()}-${randomGroup()}`);
}

function randomGroup(): string {
  return Array.from({ length: GROUP }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Returns a typed code in the form to hash: lower case, without spaces and hyphens; undefined if it is not a recovery
 * code.
 */
export function normalizeRecoveryCode(typed: string): string | undefined {
  const code = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  return form.test(code) ? code : undefined;
}
