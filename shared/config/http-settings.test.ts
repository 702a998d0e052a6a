import { expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { readHttpSettings } from './http-settings.ts';

it('serves metrics on the API port only if API_METRICS is true', () => {
  expect(readHttpSettings(readEnv({})).showsMetrics).toBe(false);
  expect(readHttpSettings(readEnv({ API_METRICS: 'true' })).showsMetrics).toBe(true);
});

it('accepts only a web address without a user name for faults, and does not repeat it in errors', () => {
  const read = (url: string) => {
    const env = readEnv({ FAULTS_WEBHOOK_URL: url });
    const { faultsUrl } = readHttpSettings(env);
    env.done();
    return faultsUrl;
  };
  expect(read('https://chat.example/hooks/s3cret')).toBe('https://chat.example/hooks/s3cret');
  for (const bad of [
    'chat.example/s3cret',
    'ftp://a.example/s3cret',
    'http://u:s3cret@a.example',
  ]) {
    const error = messageOf(() => read(bad));
    expect(error).toContain('FAULTS_WEBHOOK_URL must be an http or https address');
    expect(error).not.toContain('s3cret');
  }
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return '';
}
