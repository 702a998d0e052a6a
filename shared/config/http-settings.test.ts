import { expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { readHttpSettings } from './http-settings.ts';

it('serves metrics on the API port only if API_METRICS is true', () => {
  expect(readHttpSettings(readEnv({})).showsMetrics).toBe(false);
  expect(readHttpSettings(readEnv({ API_METRICS: 'true' })).showsMetrics).toBe(true);
});
