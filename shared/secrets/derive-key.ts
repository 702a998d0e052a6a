import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const masterKeyPattern = /^[0-9a-fA-F]{64}$/;

/**
 * A key of its own for each purpose, so that no answer of one use helps against another. `masterKeyHex` is 32 bytes as
 * 64 hexadecimal characters.
 */
export function deriveKey(masterKeyHex: string, purpose: string): KeyObject {
  if (!masterKeyPattern.test(masterKeyHex)) {
    throw new Error('the master key must be 64 hexadecimal characters');
  }
  const masterKey = Buffer.from(masterKeyHex, 'hex');
  return createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, '', purpose, 32)));
}
