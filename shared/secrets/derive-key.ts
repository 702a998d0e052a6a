import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const masterKeyPattern = /^[0-9a-fA-F]{64}$/;

/**
 * Derives a separate key for each purpose, so that the output of one use does not weaken another. `masterKeyHex` is 32
 * bytes as 64 hexadecimal characters.
 */
export function deriveKey(masterKeyHex: string, purpose: string): KeyObject {
  if (!masterKeyPattern.test(masterKeyHex)) {
    throw new Error('the master key must be 64 hexadecimal characters');
  }
  const masterKey = Buffer.from(masterKeyHex, 'hex');
  return createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, '', purpose, 32)));
}
