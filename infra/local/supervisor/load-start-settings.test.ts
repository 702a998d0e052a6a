import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import { loadStartSettings } from './load-start-settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'annals-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));

const key = 'ab'.repeat(32);

function fileWith(content: string): string {
  const path = join(directory, `${content.length}`);
  writeFileSync(path, content);
  return path;
}

function problemsOf(env: NodeJS.ProcessEnv): string {
  try {
    loadStartSettings(env);
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
  return '';
}

describe('loadStartSettings', () => {
  it('requires no settings', () => {
    expect(loadStartSettings({ PORT: '', ANNALS_SECRET_KEY: '' })).toEqual({
      host: '127.0.0.1',
      port: 8080,
      dataDir: '.annals',
      seedFile: undefined,
      secretKey: undefined,
      instances: { api: 1, projector: 1, dispatcher: 1 },
    });
  });

  it('reads the secret key from its variable or from the file named by the _FILE variable', () => {
    expect(loadStartSettings({ ANNALS_SECRET_KEY: key }).secretKey).toBe(key);
    const env = { ANNALS_SECRET_KEY_FILE: fileWith(`${key}\n`) };
    expect(loadStartSettings(env).secretKey).toBe(key);
  });

  it('reports all problems together without showing a secret', () => {
    const problems = problemsOf({
      PORT: 'none',
      ANNALS_SECRET_KEY: key,
      ANNALS_SECRET_KEY_FILE: fileWith(key),
      DATABASE_URL_FILE: '/nowhere',
      ANNALS_API_INSTANCES: '0',
      ANNALS_INSPECT: 'kafka',
      ANNALS_INFRA: 'podman',
      ANNALS_TOPIC_PREFIX: 'no topic',
      LOG_LEVEL: 'loud',
      API_EXPORT_LIMIT: 'none',
      WEBHOOK_QUEUE_INTERVAL: 'often',
      WEBHOOK_ATTEMPT_RETENTION: '1m',
      KAFKA_TLS: 'true',
      ANNALS_SEED_FILE: '/nowhere/seed.json',
    });
    for (const problem of [
      "ANNALS_INFRA must be one of local, docker, got 'podman'",
      "got 'no topic'",
      "got 'loud'",
      "API_EXPORT_LIMIT must be an integer from 1 to 100000, got 'none'",
      'WEBHOOK_QUEUE_INTERVAL must be',
      'WEBHOOK_ATTEMPT_RETENTION must be',
      'without KAFKA_BROKERS',
      'The seed file /nowhere/seed.json does not exist',
      'PORT is "none"',
      'ANNALS_SECRET_KEY and ANNALS_SECRET_KEY_FILE are both set',
      'DATABASE_URL_FILE names /nowhere, which cannot be read (ENOENT)',
      'ANNALS_API_INSTANCES is "0"',
      'ANNALS_INSPECT is "kafka" but must be api, projector or dispatcher',
    ]) {
      expect(problems.split(problem)).toHaveLength(2);
    }
    expect(problems).not.toContain(key);
  });

  it('validates the database address before anything starts', () => {
    expect(problemsOf({ DATABASE_URL: 'nonsense' })).toBe(
      'DATABASE_URL must be an address of the form postgres://user:password@host:port/database.',
    );
    expect(problemsOf({ DATABASE_URL: 'postgres://a:b@db/annals', KAFKA_BROKERS: 'k:1' })).toBe('');
  });

  it('also rejects an invalid key from a file', () => {
    expect(problemsOf({ ANNALS_SECRET_KEY_FILE: fileWith('short') })).toBe(
      'ANNALS_SECRET_KEY must be 64 hexadecimal characters.',
    );
  });
});
