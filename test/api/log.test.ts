import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

interface Page {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
  readonly searchedTo: string | null;
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

async function readPage(query: string): Promise<Page> {
  const { status, body } = await admin.get(`/System/pastEvents?${query}`);
  expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
  return body as unknown as Page;
}

const typesIn = ({ list }: Page) => list.map(({ type }) => type);

describe('GET System/pastEvents', () => {
  it('returns events newest first, by record, type, user and time', async () => {
    const { id } = recordIn(await api.post('/Account', anAccount()));
    await admin.patch(`/Account/${id}`, { name: 'Renamed' });
    await api.delete(`/Account/${id}`);
    const all = await readPage(`id=${id}`);
    expect(typesIn(all)).toEqual(['deleted', 'updated', 'created']);
    expect(all).toMatchObject({ next: null, searchedTo: null });
    const [, updated] = all.list;
    expect(updated).toMatchObject({
      entityType: 'Account',
      id,
      version: 2,
      byName: expect.any(String),
      changes: expect.arrayContaining([
        { attribute: 'name', before: expect.any(String), after: 'Renamed' },
      ]),
    });

    // Not limited to the record, so that the search moves through windows of time.
    await api.post('/Contact', { lastName: 'Other' });
    expect(typesIn(await readPage('entityType=Account&type=deleted'))).toEqual(['deleted']);
    expect(typesIn(await readPage(`entityType=Account&userId=${updated?.['byId']}`))).toEqual([
      'updated',
    ]);
    expect((await readPage('entityType=Contact')).list).toHaveLength(1);
    const at = encodeURIComponent(String(updated?.['at']));
    expect(typesIn(await readPage(`id=${id}&to=${at}`))).toEqual(['created']);
    expect(typesIn(await readPage(`id=${id}&from=${at}`))).toEqual(['deleted', 'updated']);
    expect((await readPage('to=2001-01-01')).list).toEqual([]);
    expect(await readPage('id=missing')).toEqual({ list: [], next: null, searchedTo: null });
  });

  it('returns every event on exactly one page', async () => {
    for (let index = 0; index < 5; index++) await api.post('/Lead', { lastName: `Lead ${index}` });
    const seen: unknown[] = [];
    let after = '';
    do {
      const page = await readPage(`entityType=Lead&maxSize=2${after && `&after=${after}`}`);
      expect(page.list.length).toBeLessThanOrEqual(2);
      seen.push(...page.list.map(({ id }) => id));
      after = page.next ?? '';
    } while (after !== '');
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  it('omits secrets and records of the directory', async () => {
    await admin.post('/Team', { name: 'Sales' });
    expect((await readPage('entityType=Team')).list).toEqual([]);
    expect((await readPage('entityType=User')).list).toEqual([]);
    expect((await readPage('entityType=Missing')).list).toEqual([]);
  });

  it('is for administrators, and rejects invalid parameters', async () => {
    expect((await api.get('/System/pastEvents')).status).toBe(403);
    for (const query of [
      'maxSize=0',
      'maxSize=201',
      'after=x',
      'from=yesterday-ish',
      'type=renamed',
      'id=%00',
      'id=a&id=b',
      'offset=1',
    ]) {
      const { status } = await admin.get(`/System/pastEvents?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });
});
