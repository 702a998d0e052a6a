import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

const COLON = 0x3a;

/**
 * Parses the X-Hmac-Authorization header; returns undefined if it contains no key. Published clients concatenate two
 * base64 texts or have a `=` in the middle, which EspoCRM tolerates. Node would stop at the `=`, so all characters
 * that are not base64 are removed first. Depending on the client, the hash is hexadecimal text or 32 raw bytes.
 */
export function readHmacCredentials(header: string) {
  const bytes = Buffer.from(header.replace(/[^A-Za-z0-9+/]/g, ''), 'base64');
  const end = bytes.indexOf(COLON);
  if (end === -1) return undefined;
  return { apiKey: bytes.toString('latin1', 0, end), hash: bytes.subarray(end + 1) };
}

/** `signed` is the method, a space and the path after the API root, exactly as the client sent them. */
export function isSignedWith(secretKey: KeyObject, signed: string, hash: Buffer): boolean {
  const expected = createHmac('sha256', secretKey).update(signed, 'latin1').digest();
  if (hash.length === expected.length) return timingSafeEqual(hash, expected);
  const hex = Buffer.from(expected.toString('hex'));
  return hash.length === hex.length && timingSafeEqual(hash, hex);
}

const root = '/api/v1';

/**
 * `//api/v1/Contact?maxSize=5` → `/Contact`. Nothing is decoded or normalized, because the client signed what it sent.
 */
export function signedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const start = path.indexOf(root);
  return start === -1 ? path : path.slice(start + root.length);
}
