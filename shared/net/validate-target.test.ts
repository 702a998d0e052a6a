import { describe, expect, it } from 'vitest';
import { forbiddenHosts } from '../../test/support/bad-input/forbidden-hosts.ts';
import { guardFor } from '../../test/support/receivers/target-guard.ts';
import { findAddressProblem, type TargetRules, validateUrl } from './validate-target.ts';

const nothingOpened: TargetRules = { allowed: [], ports: [], ownAddresses: () => [] };
const validate = (url: string, ...opened: readonly string[]) =>
  validateUrl(url, { ...nothingOpened, allowed: guardFor(...opened).rules.allowed });

const spellings = Object.entries(forbiddenHosts).flatMap(([kind, hosts]) =>
  hosts.map((host) => ({ kind, host })),
);

describe('a forbidden host', () => {
  it('has more than 60 known spellings', () => {
    expect(spellings.length).toBeGreaterThan(60);
  });

  it.each(spellings)('is rejected $kind: $host', ({ host }) => {
    for (const url of [`https://${host}/`, `https://${host}:8443/a?b`, `http://${host}:8080`]) {
      expect(validate(url)).toMatchObject({ kind: 'refused' });
    }
  });
});

/** First and last address of each forbidden range, and the neighbors of the range. */
const edges: readonly (readonly [string, string, ...string[]])[] = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['::', '1fff:ffff::', '2400::1'],
  ['4000::', 'ffff:ffff::', '3ffe:ffff::'],
  ['2001::', '2001:1ff:ffff::', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff::', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff::', '3ffe::', '3fff:1000::'],
];

describe('a range', () => {
  it.each(edges)(
    'from %s to %s is forbidden, unlike its neighbours',
    (first, last, ...neighbors) => {
      const target = { protocol: 'https:', host: 'example.com', port: 443 };
      for (const address of [first, last]) {
        expect(findAddressProblem(address, target, nothingOpened)).toMatch(
          /^its name resolves to /,
        );
      }
      for (const address of neighbors) {
        expect(findAddressProblem(address, target, nothingOpened)).toBeUndefined();
      }
    },
  );

  it('is forbidden if it is an address of this machine', () => {
    const rules = { ...nothingOpened, ownAddresses: () => ['8.8.8.8', '2600:0:0::1'] };
    expect(validateUrl('https://8.8.8.8', rules)).toMatchObject({
      reason: 'its host is an address of this machine',
    });
    expect(validateUrl('https://[2600::1]', rules)).toMatchObject({ kind: 'refused' });
    expect(validateUrl('https://8.8.4.4', rules)).toMatchObject({ kind: 'address' });
  });
});

describe('a URL', () => {
  it.each(['https://example.com', 'https://example.com:8443/a?b', 'https://EXAMPLE.com.:443/'])(
    'is validated by the addresses of its name: %s',
    (url) => {
      expect(validate(url)).toMatchObject({ kind: 'name', target: { host: 'example.com' } });
    },
  );

  it.each([
    ['https://8.8.8.8', '8.8.8.8'],
    ['https://134744072', '8.8.8.8'],
    ['https://[2600:0::1]:8443', '2600::1'],
    ['https://8.8.8.8:9443', '8.8.8.8'],
  ])('is accepted with a public address: %s', (url, address) => {
    expect(validate(url)).toEqual({ kind: 'address', address });
  });

  it.each([
    ['http://example.com', 'notInternal', 'it is not https'],
    ['http://example.com:443', 'notInternal', 'it is not https'],
    ['https://user@example.com', 'valid', 'it contains user info'],
    ['https://user:pw@example.com', 'valid', 'it contains user info'],
    ['https://8.8.8.8#@127.0.0.1/', undefined, undefined],
    ['https://8.8.8.8\\@127.0.0.1/', undefined, undefined],
    ['https://127.0.0.1#@8.8.8.8/', 'notInternal', 'its host is a loopback address'],
    ['https://8.8.8.8@127.0.0.1/', 'valid', 'it contains user info'],
    ['ftp://example.com', 'valid', 'it is neither https nor http'],
    ['file:///etc/passwd', 'valid', 'it is neither https nor http'],
    ['not a url', 'valid', 'it is not a URL'],
    ['https://', 'valid', 'it is not a URL'],
  ])('%s is rejected as %s because %s', (url, problem, reason) => {
    const refusal = problem && { kind: 'refused', problem, reason };
    expect(validate(url)).toEqual(refusal ?? { kind: 'address', address: '8.8.8.8' });
  });
});

describe('allowed ports', () => {
  const rules = { ...nothingOpened, ports: [443, 9443] };

  it.each([
    ['https://8.8.8.8:8443', 'port 8443 is not allowed'],
    ['https://example.com:22', 'port 22 is not allowed'],
  ])('exclude other ports: %s', (url, reason) => {
    expect(validateUrl(url, rules)).toEqual({ kind: 'refused', problem: 'notInternal', reason });
  });

  it('do not apply to targets that the operator allowed', () => {
    expect(validateUrl('https://8.8.8.8:9443', rules)).toMatchObject({ kind: 'address' });
    const { allowed } = guardFor('crm.corp:8080').rules;
    expect(validateUrl('http://crm.corp:8080', { ...rules, allowed })).toMatchObject({
      kind: 'opened name',
    });
  });
});

describe('a target that the operator allows', () => {
  it('can be a name on one port with any addresses, even for http', () => {
    const opened = 'crm.corp:8080';
    expect(validate('http://crm.corp:8080/a', opened)).toMatchObject({ kind: 'opened name' });
    expect(validate('https://CRM.corp.:8080', opened)).toMatchObject({ kind: 'opened name' });
    expect(validate('http://crm.corp:8081', opened)).toMatchObject({ kind: 'refused' });
    expect(validate('http://crm.corp', opened)).toMatchObject({ kind: 'refused' });
    expect(validate('http://a.crm.corp:8080', opened)).toMatchObject({ kind: 'refused' });
    expect(validate('http://localhost:9', 'localhost:9')).toMatchObject({ kind: 'opened name' });
  });

  it('can be an address on one port in any spelling', () => {
    for (const url of ['http://127.0.0.1:9000', 'https://0x7f.1:9000']) {
      expect(validate(url, '127.1:9000')).toEqual({ kind: 'address', address: '127.0.0.1' });
    }
    expect(validate('http://[::1]:9000', '[::1]:9000')).toEqual({
      kind: 'address',
      address: '::1',
    });
    for (const url of ['http://127.0.0.1:9001', 'http://127.0.0.2:9000', 'http://[::1]:9000']) {
      expect(validate(url, '127.0.0.1:9000')).toMatchObject({ kind: 'refused' });
    }
    expect(validate('http://[::ffff:127.0.0.1]:9', '127.0.0.1:9')).toMatchObject({
      kind: 'refused',
    });
  });

  it('can be a range on one port, including names within that range', () => {
    const { rules } = guardFor('10.0.0.0/8:8080', '[fd00::]/8:8080');
    const target = { protocol: 'http:', host: 'crm.corp', port: 8080 };
    expect(validateUrl('http://crm.corp:8080', rules)).toEqual({ kind: 'name', target });
    expect(findAddressProblem('10.255.0.1', target, rules)).toBeUndefined();
    expect(findAddressProblem('fd12::1', target, rules)).toBeUndefined();
    expect(findAddressProblem('8.8.8.8', target, rules)).toBe('it is not https');
    expect(findAddressProblem('192.168.0.1', target, rules)).toBe(
      'its name resolves to a private address',
    );
    expect(validateUrl('http://crm.corp:8081', rules)).toMatchObject({ kind: 'refused' });
  });

  it('must not contain user info', () => {
    expect(validate('http://a:b@127.0.0.1:9000', '127.0.0.1:9000')).toMatchObject({
      problem: 'valid',
    });
  });
});
