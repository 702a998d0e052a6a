import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError, parseDuration, readEnv } from './env.ts';

const directory = mkdtempSync(join(tmpdir(), 'annals-env-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('EnvReader', () => {
  it('reads every kind of value', () => {
    const read = readEnv({
      NAME: ' annals ',
      PORT: '8080',
      ENABLED: 'true',
      INTERVAL: '5m',
      LEVEL: 'warn',
      BROKERS: 'a:1, b:2,',
    });
    expect(read.text('NAME')).toBe('annals');
    expect(read.optionalText('NAME')).toBe('annals');
    expect(read.int('PORT', { min: 0, max: 65_535 })).toBe(8080);
    expect(read.boolean('ENABLED')).toBe(true);
    expect(read.durationMs('INTERVAL')).toBe(300_000);
    expect(read.choice('LEVEL', ['info', 'warn'])).toBe('warn');
    expect(read.list('BROKERS')).toEqual(['a:1', 'b:2']);
    expect(() => read.done()).not.toThrow();
  });

  it('accepts only IP addresses and networks in a list of networks', () => {
    const good = readEnv({ PROXIES: '10.0.0.0/8, ::1, 2001:db8::/32,192.0.2.1' });
    expect(good.networks('PROXIES')).toEqual(['10.0.0.0/8', '::1', '2001:db8::/32', '192.0.2.1']);
    expect(good.networks('UNSET')).toEqual([]);
    expect(() => good.done()).not.toThrow();
    for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/', '::/129', '1.2.3.4/8/8']) {
      const read = readEnv({ PROXIES: `::1,${wrong}` });
      read.networks('PROXIES');
      expect(() => read.done()).toThrow(
        `PROXIES must contain IP addresses or networks, got '${wrong}'`,
      );
    }
  });

  it('falls back when a variable is unset or empty', () => {
    const read = readEnv({ NAME: '', INTERVAL: ' ' });
    expect(read.text('NAME', 'x')).toBe('x');
    expect(read.optionalText('NAME')).toBeUndefined();
    expect(read.optionalSecret('TOKEN')).toBeUndefined();
    expect(read.int('PORT', { fallback: 1 })).toBe(1);
    expect(read.boolean('ENABLED', false)).toBe(false);
    expect(read.durationMs('INTERVAL', { fallback: '10s' })).toBe(10_000);
    expect(read.choice('LEVEL', ['info', 'warn'], 'info')).toBe('info');
    expect(read.list('BROKERS', [])).toEqual([]);
    expect(() => read.done()).not.toThrow();
  });

  it('accepts 0 outside a range of durations if allowed', () => {
    const range = { min: '1s', max: '24d', orZero: true };
    const read = readEnv({ OFF: '0', SHORT: '1s', TOO_SHORT: '999ms', TOO_LONG: '25d' });
    expect([read.durationMs('OFF', range), read.durationMs('SHORT', range)]).toEqual([0, 1_000]);
    expect(() => read.done()).not.toThrow();
    read.durationMs('TOO_SHORT', range);
    read.durationMs('TOO_LONG', range);
    const form = 'must be 0 or a duration such as 5m, 10s or 1h from 1s to 24d';
    expect(() => read.done()).toThrow(
      `TOO_SHORT ${form}, got '999ms'\n  TOO_LONG ${form}, got '25d'`,
    );
  });

  it('reports all problems together', () => {
    const read = readEnv({ PORT: '70000', COUNT: '1e3', ON: 'yes', WAIT: '5', LEVEL: 'loud' });
    read.text('DATABASE_URL');
    read.int('PORT', { min: 0, max: 65_535 });
    read.int('COUNT', { min: 1 });
    read.boolean('ON');
    read.durationMs('WAIT', { max: '1h' });
    read.choice('LEVEL', ['info', 'warn'], 'info');
    expect(() => read.done()).toThrow(ConfigurationError);
    expect(() => read.done()).toThrow(
      [
        'invalid configuration:',
        '  DATABASE_URL is required',
        "  PORT must be an integer from 0 to 65535, got '70000'",
        "  COUNT must be an integer of at least 1, got '1e3'",
        "  ON must be true or false, got 'yes'",
        "  WAIT must be a duration such as 5m, 10s or 1h of at most 1h, got '5'",
        "  LEVEL must be one of info, warn, got 'loud'",
      ].join('\n'),
    );
  });

  it('reads a secret from the file named by NAME_FILE', () => {
    const path = join(directory, 'secret');
    writeFileSync(path, 's3cret\n');
    const read = readEnv({ KEY_FILE: path });
    expect(read.secret('KEY')).toBe('s3cret');
    expect(() => read.done()).not.toThrow();
  });

  it('reports problems with a secret without showing it', () => {
    const empty = join(directory, 'empty');
    writeFileSync(empty, '\n');
    const read = readEnv({ A: 's3cret', A_FILE: '/a', B_FILE: '/nowhere', C_FILE: empty });
    for (const name of ['A', 'B', 'C', 'D']) read.secret(name);
    expect(() => read.done()).toThrow(
      [
        '  A and A_FILE are both set; set only one of them',
        '  B_FILE names /nowhere, which cannot be read (ENOENT)',
        `  C_FILE names an empty file, ${empty}`,
        '  D is required',
      ].join('\n'),
    );
    expect(() => read.done()).not.toThrow(/s3cret/);
  });
});

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['10s', 10_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
  ])('parses %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', '-5s', '1.5h', '5 m', 'm', '5M', '9999999999s'])(
    'returns undefined for %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});
