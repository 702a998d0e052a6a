import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals, until } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

interface Series {
  readonly stepSeconds: number;
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
}

let annals: StartedAnnals;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals();
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  admin = api.as(withPassword(annals.admin));
});
afterAll(async () => {
  api.close();
  await annals.stop();
});

it('returns the changes, responses and latencies of the last hour', async () => {
  await api.post('/Account', anAccount());
  await api.get('/Account/missing');
  await until(
    async () => {
      const { body } = await admin.get('/System/series?range=1h');
      const { stepSeconds, series } = body as unknown as Series;
      expect(stepSeconds).toBe(60);
      const most = (name: string) => Math.max(...(series[name] ?? []).map((value) => value ?? 0));
      for (const name of ['changes', 'answers2xx', 'answers4xx', 'latencyP50Ms', 'latencyP99Ms']) {
        expect([name, series[name]?.length, most(name) > 0]).toEqual([name, 60, true]);
      }
      expect(series['answers5xx']?.at(-1)).toBe(0);
      expect(series['answers2xx']?.[0]).toBeNull();
      expect(series['deliveriesOk']).toHaveLength(60);
    },
    { timeoutMs: 30_000 },
  );
});

it('accepts the documented ranges from administrators only', async () => {
  const wrong = await admin.get('/System/series?range=2h');
  expect(wrong.status).toBe(400);
  expect(JSON.stringify(wrong.body)).toContain('range must be one of 1h, 24h, 7d, 30d.');
  expect((await admin.get('/System/series')).body).toMatchObject({ stepSeconds: 600 });
  expect((await api.get('/System/series')).status).toBe(403);
});
