import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** All uses of the master key. Each use has a separate key, so that the output of one does not weaken another. */
export interface SecretBox {
  /** Encrypts with a random nonce: sealing the same text twice gives different results. */
  seal(text: string): string;
  /** Throws if the text was sealed with another master key, or modified afterwards. */
  open(sealed: string): string;
  /**
   * Like open, but returns null if the text cannot be opened. If the master key is changed, the secret has to be
   * replaced, too.
   */
  tryOpen(sealed: string): string | null;
  /**
   * Returns the keyed hash of an API key, in hexadecimal, by which the directory finds the user. The hash is useless to
   * readers of the log.
   */
  lookupHash(apiKey: string): string;
  /**
   * Returns the keyed hash, in hexadecimal, of a token or another value that the directory recognizes without storing
   * it.
   */
  tokenHash(token: string): string;
  /** Returns the bearer token for requests between the processes of an installation, in hexadecimal. */
  internalToken(): string;
}

const sealedPrefix = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `masterKeyHex` is 32 bytes as 64 hexadecimal characters. */
export function createSecretBox(masterKeyHex: string): SecretBox {
  const sealKey = deriveKey(masterKeyHex, 'annals secret sealing v1');
  const lookupKey = deriveKey(masterKeyHex, 'annals api key lookup v1');
  const tokenKey = deriveKey(masterKeyHex, 'annals auth token v1');
  const token = deriveKey(masterKeyHex, 'annals internal token v1').export().toString('hex');

  const open = (sealed: string): string => {
    if (!sealed.startsWith(sealedPrefix)) throw new Error('not a sealed text');
    return decrypt(sealKey, Buffer.from(sealed.slice(sealedPrefix.length), 'base64url'));
  };

  return {
    seal: (text) => sealedPrefix + encrypt(sealKey, text).toString('base64url'),
    open,
    tryOpen: (sealed) => {
      try {
        return open(sealed);
      } catch {
        return null;
      }
    },
    lookupHash: (apiKey) => createHmac('sha256', lookupKey).update(apiKey).digest('hex'),
    tokenHash: (text) => createHmac('sha256', tokenKey).update(text).digest('hex'),
    internalToken: () => token,
  };
}

function encrypt(key: KeyObject, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, bytes: Buffer): string {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('the sealed text is truncated');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
