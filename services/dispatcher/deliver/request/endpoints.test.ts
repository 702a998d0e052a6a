import { describe, expect, it, test, vi } from 'vitest';
import { toWebhook, type Webhook } from '../../../../shared/domain/webhook/record/webhook.ts';
import { createUrlValidator, Endpoints } from './endpoints.ts';

const webhook: Webhook = toWebhook({
  entityType: 'Webhook',
  id: 'w1',
  version: 1,
  deleted: false,
  values: { url: 'https://example.com:8443/a/b?c=d#e', secretKey: 'sealed' },
});

describe('an endpoint', () => {
  it("has the webhook's origin and path and the bytes of its displayed secret", () => {
    const { origin, path, key } = new Endpoints(() => '0a0b').of(webhook);
    expect({ origin, path }).toEqual({ origin: 'https://example.com:8443', path: '/a/b?c=d' });
    expect(key.export().toString()).toBe('0a0b');
  });

  it('decrypts the secret once per version of the webhook', () => {
    const open = vi.fn((sealed: string) => `opened ${sealed}`);
    const endpoints = new Endpoints(open);
    expect(endpoints.of(webhook)).toBe(endpoints.of(webhook));
    expect(open).toHaveBeenCalledTimes(1);
    expect(endpoints.of({ ...webhook, url: 'http://example.org' }).path).toBe('/');
    const rotated = endpoints.of({ ...webhook, secretKey: 'sealed again' });
    expect(rotated.key.export().toString()).toBe('opened sealed again');
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('omits a previous secret that cannot be decrypted, but requires the current one', () => {
    const open = (sealed: string): string => {
      if (sealed === 'under another key') throw new Error('cannot be opened');
      return sealed;
    };
    const rotated = { ...webhook, previousSecretUntil: 1 };
    const of = (change: Partial<Webhook>) => new Endpoints(open).of({ ...rotated, ...change });
    expect(of({ previousSecretKey: 'former' }).previous?.until).toBe(1);
    expect(of({ previousSecretKey: 'under another key' }).previous).toBeUndefined();
    expect(() => of({ secretKey: 'under another key' })).toThrow();
  });

  it.each(['', 'nonsense', 'ftp://example.com/', 'file:///etc/passwd'])(
    'rejects the URL %j',
    (url) => {
      expect(() => new Endpoints(() => 'secret').of({ ...webhook, url })).toThrow();
    },
  );
});

test('a URL is validated again after a second with its current addresses', () => {
  let now = 0;
  const addresses: string[] = [];
  const validate = createUrlValidator(
    { allowed: [], ports: [], ownAddresses: () => addresses },
    () => now,
  );
  expect(validate('https://8.8.8.8/')).toMatchObject({ kind: 'address' });
  addresses.push('8.8.8.8');
  now = 999;
  expect(validate('https://8.8.8.8/')).toMatchObject({ kind: 'address' });
  now = 1_000;
  expect(validate('https://8.8.8.8/')).toMatchObject({ kind: 'refused' });
  expect(validate('https://9.9.9.9/')).toMatchObject({ kind: 'address' });
});
