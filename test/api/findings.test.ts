import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

interface Finding {
  readonly id?: string;
  readonly verdict: string;
  readonly code: string;
  readonly acknowledged?: Readonly<Record<string, unknown>>;
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

async function examine() {
  const { body } = await admin.get('/System/doctor');
  return body as unknown as {
    readonly warnings: number;
    readonly acknowledged: number;
    readonly findings: readonly Finding[];
  };
}

const pathOf = (id: string | undefined) => `/System/findings/${id}/acknowledgement`;

describe('a warning of doctor', () => {
  it('can be acknowledged by administrators, and counts again after a withdrawal', async () => {
    const before = await examine();
    // The embedded Kafka has a single broker.
    const { id } = before.findings.find(({ code }) => code === 'kafka.oneBroker') ?? {};
    const path = pathOf(id);
    expect((await api.post(path, { reason: 'x' })).status).toBe(403);
    expect((await admin.post(path, { reason: ' ' })).body).toMatchObject({
      code: 'record.invalid',
    });
    expect((await admin.post(path, {})).body).toMatchObject({ code: 'record.invalid' });

    const stored = await admin.post(path, { reason: ' One machine. ' });
    expect([stored.status, stored.body]).toEqual([200, true]);
    const after = await examine();
    expect(after.warnings).toBe(before.warnings - 1);
    expect(after.acknowledged).toBe(before.acknowledged + 1);
    expect(after.findings.find((one) => one.id === id)).toMatchObject({
      verdict: 'warning',
      acknowledged: { reason: 'One machine.', byName: expect.any(String) },
    });

    expect((await api.delete(path)).status).toBe(403);
    expect((await admin.delete(path)).status).toBe(200);
    expect(await examine()).toMatchObject({ warnings: before.warnings });
    expect((await admin.delete(path)).body).toMatchObject({ code: 'finding.not_found' });
  });

  it('is not found under another id, nor is a finding that is fine', async () => {
    const { findings } = await examine();
    expect(findings.find(({ verdict }) => verdict === 'ok')).not.toHaveProperty('id');
    for (const id of ['ab'.repeat(16), 'constructor']) {
      const { status, body } = await admin.post(pathOf(id), { reason: 'x' });
      expect([status, Object(body).code]).toEqual([404, 'finding.not_found']);
    }
  });
});
