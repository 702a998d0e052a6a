import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import type { ApiKey } from '../../services/system/audit/audit-routes.ts';
import type { AuditEntry } from '../../services/system/audit/read-audit.ts';
import type { Settings } from '../../services/system/settings/read-settings.ts';
import { version } from '../../shared/runtime/version.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  recordIn,
} from '../support/api-client.ts';
import { withApiKey, withEspo, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { createDescribedApi, type DescribedApi } from '../support/proofs/described-answers.ts';
import { readTableTexts } from '../support/proofs/read-table-texts.ts';
import { createSecretSearch, type SecretSearch } from '../support/proofs/secret-search.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';

const topicPrefix = `audit-${process.pid}`;
const patience = { timeoutMs: 30_000 };
const guess = 'a-password-that-was-guessed';

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;
let secretsIn: SecretSearch;
let described: DescribedApi;

beforeAll(async () => {
  product = await startProduct({
    env: {
      API_CUSTOM_PREFIX: 'taken',
      ANNALS_TOPIC_PREFIX: topicPrefix,
      ANNALS_API_INSTANCES: '2',
      API_EXPORT_LIMIT: '777',
      WEBHOOK_ALLOWED_ADDRESSES: 'localhost:9',
    },
  });
  const { admin: administrator, user, apiKey, hmac, kafka, postgres } = product.access();
  api = createApiClient(product.url, withApiKey(apiKey));
  admin = api.as(withPassword(administrator));
  described = createDescribedApi((await admin.get('/OpenApi')).text);
  const masterKey = readFileSync(join(product.dataDir, 'secret.key'), 'utf8').trim();
  const secrets = [
    ...[administrator.password, user.password, apiKey.apiKey, hmac.apiKey, hmac.secretKey, guess],
    ...[masterKey, createSecretBox(masterKey).internalToken()],
    ...[new URL(postgres.url).password, kafka.password].flatMap((one) => one || []),
  ];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);
  secretsIn = createSecretSearch(secrets, [administrator.userName, user.userName, hmac.apiKey]);
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const user = () => product.access().user;

/** Checks that the response matches its description and contains no secret. */
async function read<Body>(path: string): Promise<Body> {
  const answer = await admin.get(path);
  expect([answer.status, secretsIn(answer.text)]).toEqual([200, []]);
  const [route = ''] = path.split('?');
  expect(described.problemsOf('get', route, answer)).toEqual([]);
  return answer.body as Body;
}

const audit = async (query = ''): Promise<readonly AuditEntry[]> =>
  (await read<{ readonly list: readonly AuditEntry[] }>(`/System/audit?${query}`)).list;

it('settings, the audit log and key usage are readable only by administrators', async () => {
  for (const path of ['settings', 'audit', 'apiKeys']) {
    const answers: readonly ApiAnswer[] = [
      await api.get(`/System/${path}`),
      await api.as(withPassword(user())).get(`/System/${path}`),
    ];
    for (const { status, body } of answers) {
      expect([path, status, Object(body).code]).toEqual([path, 403, 'access.admin_only']);
    }
  }
});

describe('the settings', () => {
  const sourcesOf = ({ told }: Settings['processes'][number]) =>
    new Map(told?.settings.map(({ name, value, source }) => [name, [value, source]]));

  it('are listed for every process with their sources but without secrets', async () => {
    const { postgresVersion, processes } = await read<Settings>('/System/settings');
    expect(postgresVersion).toMatch(/^\d+/);
    expect(processes.map(({ service }) => service)).toEqual([
      'api',
      'api',
      'projector',
      'dispatcher',
    ]);
    for (const { told } of processes) {
      expect(told).toMatchObject({ version, nodeVersion: process.versions.node });
      expect(Date.parse(told?.startedAt ?? '')).toBeLessThan(Date.now());
    }
    const [first, , projector, dispatcher] = processes.map(sourcesOf);
    expect(first?.get('API_EXPORT_LIMIT')).toEqual(['777', 'environment']);
    expect(first?.get('API_MASS_ACTION_LIMIT')).toEqual(['20000', 'default']);
    expect(first?.get('ANNALS_ACCESS_FILE')?.[1]).toBe('start');
    expect(first?.get('DATABASE_URL')?.[0]).toBeNull();
    for (const process of [first, projector, dispatcher]) {
      expect(process?.get('ANNALS_SECRET_KEY')).toEqual([null, 'start']);
      expect(process?.get('STORAGE_FLOOR')).toEqual([null, 'derived']);
      expect(process?.get('INTERNAL_ADVERTISED_HOST')).toEqual([null, 'unset']);
    }
    expect(dispatcher?.get('WEBHOOK_ALLOWED_ADDRESSES')).toEqual(['localhost:9', 'environment']);
    expect(projector?.get('WEBHOOK_ATTEMPT_RETENTION')).toEqual(['30d', 'default']);
  });

  it('are served on internal listeners only with the internal token', async () => {
    const address = new URL('/internal/settings', product.internalUrl('dispatcher'));
    const answer = await fetch(address, { headers: { authorization: 'Bearer wrong' } });
    expect(answer.status).toBe(401);
  });

  it('match the output of annals settings', async () => {
    const run = async (...options: readonly string[]) =>
      runCli(['settings', '--data-dir', product.dataDir, ...options], {
        ANNALS_TOPIC_PREFIX: topicPrefix,
        ...toKafkaVariables(product.access().kafka),
        DATABASE_URL: product.access().postgres.url,
      });
    const { code, stdout } = await run('--json');
    expect([code, secretsIn(stdout)]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toEqual(await read<Settings>('/System/settings'));
    const table = (await run()).stdout;
    expect(secretsIn(table)).toEqual([]);
    expect(table).toMatch(/^API_EXPORT_LIMIT +777 +environment$/m);
    expect(table).toMatch(/^ANNALS_SECRET_KEY +\(set\) +start$/m);
  });
});

describe('the audit log', () => {
  it('lists successful and failed sign-ins with address and reason', async () => {
    const { userName, password } = user();
    const entered = await api.as(withEspo({ userName, secret: password })).get('/App/user');
    expect(entered.status).toBe(200);
    const wrong = withPassword({ userName, password: guess });
    for (let tried = 0; tried < 3; tried += 1) {
      expect((await api.as(wrong).get('/Account')).status).toBe(401);
    }
    await api.as(withPassword({ userName: 'nobody\0here', password: guess })).get('/Account');
    await api.as(withApiKey({ apiKey: guess })).get('/Account');
    await eventually(async () => {
      const list = await audit('kind=signIn');
      expect(list.length).toBeGreaterThan(3);
      const of = (name: string | null, reason: string | null) =>
        list.filter(({ signIn }) => signIn?.userName === name && signIn.reason === reason);
      const refused = of(userName, 'credentials.invalid');
      // The sign-ins may be distributed over both apis.
      const attempts = refused.reduce((sum, { signIn }) => sum + (signIn?.attempts ?? 0), 0);
      expect(attempts).toBe(3);
      expect(refused[0]).toMatchObject({
        action: 'refused',
        requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
        record: null,
        signIn: { method: 'password', address: '127.0.0.1' },
      });
      expect(refused[0]?.byId).toBe(Object(entered.body).user.id);
      expect(of(userName, null)[0]).toMatchObject({ action: 'signedIn' });
      expect(of('nobodyhere', 'credentials.invalid')[0]).toMatchObject({ byId: null });
      expect(of(null, 'credentials.invalid')[0]?.signIn).toMatchObject({ method: 'key' });
    }, patience);
  });

  it('lists changes of users, roles, definitions and webhooks with the changed values', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const role = recordIn(await admin.post('/Role', { name: 'Audited' }, { traceparent }));
    const changed = await admin.patch(`/Role/${role.id}`, { data: { Account: { read: 'own' } } });
    expect(changed.status).toBe(200);
    const made = recordIn(
      await admin.post('/User', {
        userName: 'audited',
        lastName: 'Audited',
        password: guess,
        type: 'regular',
      }),
    );
    const field = { name: 'hull', type: 'varchar', label: 'Hull' };
    expect((await admin.post('/Admin/fieldManager/Account', field)).status).toBe(200);
    const webhook = await registerWebhook(api, {
      event: 'Account.create',
      url: 'https://localhost:9/audited',
    });
    const byKind = async (kind: string) => (await audit(`kind=${kind}`))[0];
    await eventually(async () => {
      const roles = await audit('kind=role');
      expect(roles.slice(0, 2)).toMatchObject([
        {
          action: 'updated',
          byName: expect.any(String),
          record: { entityType: 'Role', id: role.id, name: 'Audited', version: 2 },
        },
        { action: 'created', requestId: traceId },
      ]);
      expect(roles[0]?.changes).toContainEqual({
        attribute: 'data.Account',
        before: null,
        after: expect.objectContaining({ read: 'own' }),
      });
      const user = await byKind('user');
      expect(user).toMatchObject({ action: 'created', record: { id: made.id } });
      expect(user?.changes).toContainEqual({
        attribute: 'passwordHash',
        before: null,
        after: '(not shown)',
      });
      const definition = await byKind('definition');
      expect(definition?.changes?.map(({ attribute }) => attribute)).toContain('fields.hull');
      expect((await byKind('webhook'))?.record).toMatchObject({
        id: webhook.id,
        name: 'Account.create',
      });
    }, patience);
    const { signIn, changes } = (await byKind('team')) ?? { signIn: null, changes: null };
    expect([signIn, changes]).toEqual([null, null]);
  });

  it('can be filtered by user and time and read page by page', async () => {
    const { userName } = user();
    const ofUser = await audit(`user=${userName}`);
    expect(ofUser.length).toBeGreaterThan(0);
    expect(new Set(ofUser.map(({ signIn }) => signIn?.userName))).toEqual(new Set([userName]));
    expect(await audit('to=2020-01-01')).toEqual([]);
    expect(await audit('from=2100-01-01')).toEqual([]);
    const to = `to=${new Date().toISOString()}`;
    const all = await audit(`${to}&maxSize=200`);
    const paged: AuditEntry[] = [];
    let after = '';
    do {
      const page: { readonly list: readonly AuditEntry[]; readonly next: string | null } =
        await read(`/System/audit?${to}&maxSize=3${after}`);
      paged.push(...page.list);
      after = page.next === null ? '' : `&after=${page.next}`;
    } while (after !== '');
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(paged.map(({ at }) => at)).toEqual(
      paged
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
  });

  it.each([
    [
      'kind=Account',
      'kind must be one of signIn, user, role, team, definition, provider, webhook.',
    ],
    ['after=5', 'after must be the value of next from an earlier response.'],
    ['maxSize=500', 'maxSize must be a number from 1 to 200.'],
    ['user=%00', 'user must be an id or a user name.'],
    ['user=a&user=b', 'user must be given once.'],
    ['from=yesterday', 'from must be'],
  ])('rejects %s', async (query, problem) => {
    const { status, text } = await admin.get(`/System/audit?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(problem)]);
  });
});

describe('API keys', () => {
  it('show the time of their last use at any api and keep it across a restart', async () => {
    const { hmac } = product.access();
    const listed = async () =>
      (await read<{ readonly list: readonly ApiKey[] }>('/System/apiKeys')).list;
    const since = Date.now();
    expect((await api.get('/Account')).status).toBe(200);
    expect((await api.as(withHmacHex(hmac)).get('/Account')).status).toBe(200);
    const usedAt = async () => {
      const keys = await listed();
      for (const authMethod of ['ApiKey', 'Hmac']) {
        const key = keys.find((one) => one.authMethod === authMethod);
        expect(key).toMatchObject({ isActive: true });
        expect(Date.parse(key?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(since);
      }
      return keys;
    };
    // The other api writes once a minute, and when it stops.
    const instances = ['api', 'api2'];
    for (const name of instances) {
      product.kill(name, 'SIGTERM');
      await product.waitUntilReady(name);
    }
    await eventually(usedAt, patience);
  });
});

it('the tables contain no secrets', async () => {
  await withClient(product.access().postgres.url, async (client) => {
    const tables = await readTableTexts(client);
    const ours = tables.filter(({ name }) => name.startsWith('annals_audit.'));
    expect(ours.map(({ name, rows }) => [name, rows > 0])).toEqual([
      ['annals_audit.key_uses', true],
      ['annals_audit.sign_ins', true],
    ]);
    for (const { name, text } of tables) expect([name, secretsIn(text)]).toEqual([name, []]);
  });
});
