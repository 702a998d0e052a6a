import { describe, expect, it } from 'vitest';
import { readEnv } from '../config/env.ts';
import { readTargetSettings } from './allowed-targets.ts';

function read(value: string | undefined) {
  const env = readEnv({ WEBHOOK_ALLOWED_ADDRESSES: value });
  const found = readTargetSettings(env);
  env.done();
  return found.allowed;
}

describe('WEBHOOK_ALLOWED_ADDRESSES', () => {
  it('allows nothing if it is unset', () => {
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
  ])('rejects %s and lists the accepted formats', (entry) => {
    expect(() => read(entry)).toThrow(
      `WEBHOOK_ALLOWED_ADDRESSES must list host:port or CIDR:port, IPv6 in brackets, got '${entry}'`,
    );
  });
});

describe('WEBHOOK_ALLOWED_PORTS', () => {
  function readPorts(value: string | undefined) {
    const env = readEnv({ WEBHOOK_ALLOWED_PORTS: value });
    const { ports } = readTargetSettings(env);
    env.done();
    return ports;
  }

  it('lists ports and allows any port if it is empty', () => {
    expect(readPorts(undefined)).toEqual([]);
    expect(readPorts('443, 8443')).toEqual([443, 8443]);
  });

  it.each(['0', '65536', 'https', '-1', '443-445'])('rejects %s', (entry) => {
    expect(() => readPorts(entry)).toThrow(
      `WEBHOOK_ALLOWED_PORTS must list 1 to 65535, got '${entry}'`,
    );
  });
});
