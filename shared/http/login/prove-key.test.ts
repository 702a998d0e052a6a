import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedWith, readHmacCredentials, signedPath } from './prove-key.ts';

const apiKey = '0123456789abcdef0123456789abcdef';

describe('the X-Hmac-Authorization header', () => {
  // Contains all kinds of bytes, including `:` and bytes that base64 encodes as + and /.
  const raw = createHmac('sha256', 's3').update('GET /Contact').digest();
  const read = (header: string) => {
    const { apiKey: key, hash } = readHmacCredentials(header) ?? {};
    return { key, hash: hash?.toString('hex') };
  };

  it('is parsed with hexadecimal text from current clients', () => {
    const header = Buffer.from(`${apiKey}:${raw.toString('hex')}`).toString('base64');
    expect(read(header)).toEqual({
      key: apiKey,
      hash: Buffer.from(raw.toString('hex')).toString('hex'),
    });
  });

  it('is parsed with raw bytes from older clients', () => {
    const header = Buffer.concat([Buffer.from(`${apiKey}:`), raw]).toString('base64');
    expect(read(header)).toEqual({ key: apiKey, hash: raw.toString('hex') });
  });

  it('is parsed from two concatenated base64 texts', () => {
    const header = Buffer.from(`${apiKey}:`).toString('base64') + raw.toString('base64');
    expect(read(header)).toEqual({ key: apiKey, hash: raw.toString('hex') });
  });

  it('is parsed with an equals sign in the middle', () => {
    const header = `${Buffer.from(apiKey).toString('base64')}6${raw.toString('base64')}`;
    expect(header.slice(0, -1)).toContain('=');
    expect(read(header)).toEqual({ key: apiKey, hash: raw.toString('hex') });
  });

  it('keeps colons in a raw hash', () => {
    const header = Buffer.from('key:a:b').toString('base64');
    expect(read(header)).toEqual({ key: 'key', hash: Buffer.from('a:b').toString('hex') });
  });

  it.each(['', '====', 'aaaa', '\u00ff'])('is ignored without a colon: %j', (header) => {
    expect(readHmacCredentials(header)).toBeUndefined();
  });
});

describe('a signature', () => {
  it('matches test case 2 of RFC 4231 as bytes and as lower-case hexadecimal text', () => {
    const key = createSecretKey(Buffer.from('Jefe'));
    const message = 'what do ya want for nothing?';
    const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(isSignedWith(key, message, Buffer.from(hex, 'hex'))).toBe(true);
    expect(isSignedWith(key, message, Buffer.from(hex))).toBe(true);
    expect(isSignedWith(key, message, Buffer.from(hex.toUpperCase()))).toBe(false);
    expect(isSignedWith(key, 'another', Buffer.from(hex))).toBe(false);
    expect(isSignedWith(key, message, Buffer.from(hex.slice(1)))).toBe(false);
    expect(isSignedWith(key, message, Buffer.alloc(0))).toBe(false);
  });
});

describe('the signed path', () => {
  it.each([
    ['/api/v1/Contact?maxSize=5', '/Contact'],
    ['//api/v1/Contact/', '/Contact/'],
    ['/api/v1/Lead/action/convert', '/Lead/action/convert'],
    ['/api/v1/Account/a%20b', '/Account/a%20b'],
    ['/api/v1', ''],
    ['http://host/api/v1/Contact', '/Contact'],
  ])('of %s is %s', (url, path) => {
    expect(signedPath(url)).toBe(path);
  });
});
