import { describe, expect, it } from 'vitest';
import { createAddressGuard, literalOf, parseAllowedTarget, targetOf } from './address-guard.ts';

const guard = createAddressGuard([], ['203.0.114.9', '2a00:1450:4001::9']);
const allow = (...entries: readonly string[]) =>
  createAddressGuard(
    entries.flatMap((entry) => parseAllowedTarget(entry) ?? []),
    [],
  );

/** As a connection would be judged: the url first, then the address that its host is. */
function passes(text: string, by = guard): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (by.refusalOf(url) !== undefined) return false;
  const target = targetOf(url);
  const literal = literalOf(target.hostname);
  return literal === undefined || by.allows(target, literal);
}

const forbiddenHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '127.0.0.0x1',
  '0',
  '0.0.0.0',
  '0x0',
  '000000.0',
  '10.0.0.1',
  '10.1',
  '0xa000001',
  '167772161',
  '012.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '169.254.43518',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.257',
  '0xc0a80001',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '203.0.114.9',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '127.0.0%2e1',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2001:10::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[3fff::1]',
  '[4000::1]',
  '[100::1]',
  '[2a00:1450:4001::9]',
  '[2A00:1450:4001:0:0:0:0:9]',
];

describe('a guard of addresses', () => {
  it.each(forbiddenHosts)('does not let a request to https://%s pass', (host) => {
    expect(passes(`https://${host}/hook`)).toBe(false);
  });

  it.each([
    'http://example.org/',
    'https://user@example.org/',
    'https://:secret@example.org/',
    'https://example.org:22/',
    'https://example.org:80/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'gopher://example.org/',
    'https://127.0.0.1:443@[::1]/',
    'https://[fe80::1%25eth0]/',
    'https://',
    '//example.org',
  ])('does not let %s pass', (url) => {
    expect(passes(url)).toBe(false);
  });

  it.each([
    'https://example.org/hook?a=b',
    'https://example.org:8443/',
    'https://EXAMPLE.org./',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://xn--mnchen-3ya.example/',
  ])('lets %s pass', (url) => {
    expect(passes(url)).toBe(true);
  });

  it('judges every address that a name resolves to', () => {
    const target = { hostname: 'example.org', port: 443 };
    expect(guard.allows(target, '8.8.8.8')).toBe(true);
    for (const address of ['127.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1', '169.254.169.254']) {
      expect(guard.allows(target, address)).toBe(false);
    }
  });

  it('lets pass what the operator opened, and nothing beside it', () => {
    const opened = allow(
      '127.0.0.1:9000',
      '10.1.0.0/16:8080',
      'hooks.internal:80',
      '[fd00::]/8:443',
      '192.168.7.7',
    );
    for (const url of [
      'http://127.0.0.1:9000/',
      'http://0x7f.1:9000/',
      'http://10.1.2.3:8080/',
      'http://hooks.internal/',
      'http://192.168.7.7:1234/',
    ]) {
      expect([url, passes(url, opened)]).toEqual([url, true]);
    }
    for (const url of [
      'http://127.0.0.1:9001/',
      'http://127.0.0.2:9000/',
      'http://10.2.0.1:8080/',
      'http://hooks.internal:81/',
      'http://other.internal/',
    ]) {
      expect([url, passes(url, opened)]).toEqual([url, false]);
    }
    expect(opened.allows({ hostname: 'hooks.internal', port: 80 }, '10.9.9.9')).toBe(true);
  });

  it.each(['', ':80', 'host:0', 'host:70000', '10.0.0.0/99:80', '[zz]:80', 'a b:80', 'http://x'])(
    'knows that %j is no target',
    (entry) => {
      const target = parseAllowedTarget(entry);
      expect(target === undefined || !target.matches({ hostname: 'x', port: 80 }, '10.0.0.1')).toBe(
        true,
      );
    },
  );
});
