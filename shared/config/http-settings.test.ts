import { expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { readHttpSettings } from './http-settings.ts';

it('shows metrics beside the API unless they are closed there', () => {
  expect(readHttpSettings(readEnv({})).showsMetrics).toBe(false);
  expect(readHttpSettings(readEnv({ API_METRICS: 'true' })).showsMetrics).toBe(true);
});
