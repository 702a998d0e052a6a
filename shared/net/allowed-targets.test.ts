import { describe, expect, it } from 'vitest';
import { readEnv } from '../config/env.ts';
import { readAllowedTargets } from './allowed-targets.ts';

function read(value: string | undefined) {
  const env = readEnv({ WEBHOOK_ALLOWED_ADDRESSES: value });
  const found = readAllowedTargets(env);
  env.done();
  return found;
}

describe('WEBHOOK_ALLOWED_ADDRESSES', () => {
  it('opens nothing when it is unset', () => {
    expect(read(undefined)).toEqual([]);
    expect(read(' ')).toEqual([]);
  });

  it('lists names, addresses and ranges, each with a port', () => {
    const found = read(
      'Example.com:8080, 127.0.0.1:9000,10.0.0.0/8:443,[::1]:1,[fd00::]/8:2,[fd00::/8]:3',
    );
    expect(
      found.map((one) =>
        one.kind === 'name' ? [one.name, one.port] : [one.range.join('/'), one.port],
      ),
    ).toEqual([
      ['example.com', 8080],
      ['127.0.0.1/32', 9000],
      ['10.0.0.0/8', 443],
      ['::1/128', 1],
      ['fd00::/8', 2],
      ['fd00::/8', 3],
    ]);
  });

  it.each([
    'example.com',
    '127.0.0.1',
    ':80',
    'example.com:0',
    'example.com:65536',
    'example.com:http',
    '*:80',
    'http://example.com:80',
    'user@example.com:80',
    'example.com/8:80',
    '10.0.0.0/33:80',
    '10.0.0.0/:80',
    '10.0.0.0/8/8:80',
    '10.0.0/8:80',
    '::1:80',
    'fd00::/8:80',
    '[fd00::]/129:80',
    '[::1:80',
    'a b:80',
  ])('refuses %s and says what it may hold', (entry) => {
    expect(() => read(entry)).toThrow(
      `WEBHOOK_ALLOWED_ADDRESSES must list host:port or CIDR:port, IPv6 in brackets, got '${entry}'`,
    );
  });
});
