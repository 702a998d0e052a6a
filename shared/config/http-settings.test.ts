import { expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { readHttpSettings } from './http-settings.ts';

it('shows metrics beside the API unless they are closed there', () => {
  expect(readHttpSettings(readEnv({})).showsMetrics).toBe(true);
  expect(readHttpSettings(readEnv({ API_METRICS: 'false' })).showsMetrics).toBe(false);
});
