import { randomBytes } from 'node:crypto';

/**
 * Generates an API key or a secret key: 32 lower-case hexadecimal characters. Some clients concatenate pieces of
 * base64 in a way that only works with this length.
 */
export function generateKey(): string {
  return randomBytes(16).toString('hex');
}
