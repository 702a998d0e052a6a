import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const contains = [{ type: 'contains', attribute: 'description', value: 'offer' }];
const where = encodeURIComponent(JSON.stringify(contains));

let annals: StartedAnnals;
let admin: ApiClient;
let greedy: ApiClient;
let other: ApiClient;
let accountId: string;

beforeAll(async () => {
  annals = await startAnnals({
    env: {
      API_SEARCH_TIMEOUT: '4s',
      // Uses the primary only: the lock hangs reads there, while a replica would continue to serve them.
      DATABASE_READ_URL: '',
    },
  });
  admin = createApiClient(annals.url, withPassword(annals.admin));
  const role = recordIn(
    await admin.post('/Role', {
      name: 'all',
      data: { Account: all, Contact: all },
      exportPermission: 'yes',
      massUpdatePermission: 'yes',
    }),
  );
  const makeUser = async (userName: string) => {
    const user = recordIn(
      await admin.post('/User', { userName, type: 'api', rolesIds: [role.id] }),
    );
    return admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
  };
  greedy = await makeUser('greedy');
  other = await makeUser('other');
  accountId = recordIn(await admin.post('/Account', { name: 'Acme' })).id;
  recordIn(await admin.post('/Contact', { lastName: 'Last', accountId }));
});

afterAll(async () => {
  admin?.close();
  await annals?.stop();
});

/** Locks the table of Contacts during the work: every query on the table takes as long as its timeout allows. */
async function whileContactsHang<Result>(work: () => Promise<Result>): Promise<Result> {
  return withClient(annals.postgres.url, async (client) => {
    await client.query('begin');
    await client.query('lock table annals.contact in access exclusive mode');
    return work();
  });
}

async function eight(send: () => Promise<ApiAnswer>): Promise<readonly ApiAnswer[]> {
  return Promise.all(Array.from({ length: 8 }, send));
}

const costly: Readonly<Record<string, () => Promise<ApiAnswer>>> = {
  'a list by a condition': () => greedy.get(`/Contact?where=${where}`),
  'a sorted list': () => greedy.get('/Contact?orderBy=description'),
  'a list of linked records': () => greedy.get(`/Account/${accountId}/contacts`),
  'a condition on a linked record': () =>
    greedy.get(`/Account?where=${JSON.stringify([{ type: 'isLinked', attribute: 'contacts' }])}`),
  'a search of all types': () => greedy.get('/GlobalSearch?q=Last'),
  'an export': () =>
    greedy.post('/Export', { entityType: 'Contact', format: 'csv', where: contains }),
  'a mass action': () =>
    greedy.post('/MassAction', {
      entityType: 'Contact',
      action: 'update',
      params: { where: contains },
      data: { values: { title: 'x' } },
    }),
};

describe('slow searches of one user', () => {
  it.each(Object.entries(costly))(
    'do not delay the searches, reads and writes of other users: %s',
    async (_what, send) => {
      const { answers, hung } = await whileContactsHang(async () => {
        let answered = 0;
        const sent = eight(send).finally(() => {
          answered += 1;
        });
        for (let count = 0; count < 15; count++) {
          expect(listIn(await other.get('/Account?textFilter=Acm')).total).toBe(1);
        }
        expect((await other.get(`/Account/${accountId}`)).status).toBe(200);
        expect((await other.put(`/Account/${accountId}`, { website: 'a.example' })).status).toBe(
          200,
        );
        return { answers: sent, hung: answered === 0 };
      });
      expect(hung).toBe(true);
      for (const { status, text } of await answers) {
        expect([200, 400, 503], text).toContain(status);
        expect(text).not.toContain('database is not available');
      }
    },
  );

  it('time out or are rejected as busy with a Retry-After', async () => {
    const answers = await whileContactsHang(() =>
      eight(() => greedy.get(`/Contact?where=${where}`)),
    );
    const errors = answers.map(({ status, headers, body }) => ({
      status,
      code: Object(body).code,
      retryAfter: headers['retry-after'],
    }));
    expect(errors).toContainEqual({ status: 400, code: 'list.too_slow', retryAfter: '10' });
    expect(errors).toContainEqual({ status: 503, code: 'search.busy', retryAfter: '2' });
    expect(new Set(errors.map(({ code }) => code)).size).toBe(2);
  });
});

it('every search endpoint rejects a pattern with too many wildcards and names the limit', async () => {
  const like = { type: 'like', attribute: 'description', value: '%a'.repeat(200) };
  const sentence = 'A pattern must have at most 10 wildcards (% and _), not 200. Remove some.';
  const query = encodeURIComponent(JSON.stringify([like]));
  const answers = [
    await greedy.get(`/Contact?where=${query}`),
    await greedy.get(`/Account/${accountId}/contacts?where=${query}`),
    await greedy.post('/Export', { entityType: 'Contact', format: 'csv', where: [like] }),
    await greedy.post('/MassAction', {
      entityType: 'Contact',
      action: 'update',
      params: { where: [like] },
      data: { values: { title: 'x' } },
    }),
  ];
  for (const { status, body } of answers) {
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: sentence, code: 'where.invalid' },
    });
  }
  const many = await greedy.get(`/GlobalSearch?q=${'*a'.repeat(20)}`);
  expect(many.text).toContain('at most 10 wildcards (*), not 20');
});
