import { randomBytes } from 'node:crypto';

/**
 * An API key or a secret key: 32 lower-case hexadecimal characters. Clients glue base64 pieces together in a way that
 * works with this length only.
 */
export function generateKey(): string {
  return randomBytes(16).toString('hex');
}
