import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { pathOf } from '../../shared/http/errors/answer-error.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import {
  anonymous,
  withApiKey,
  withEspo,
  withPassword,
  withToken,
} from '../support/credentials.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { haproxyObstacle } from '../support/harness/haproxy.ts';
import {
  type Cluster,
  type ClusterProcess,
  startCluster,
} from '../support/harness/start-cluster.ts';
import { isForQuery } from '../support/query-routes.ts';
import { scrape } from '../support/scrape.ts';
import { type AttemptedWrite, startWriteLoad, type WriteLoad } from '../support/write-load.ts';

const apis = ['api-1', 'api-2'] as const;
const queries = ['query-1', 'query-2'] as const;
const IDLE_MS = 8_000;

describe.skipIf(haproxyObstacle !== undefined)(
  `apis and query processes behind HAProxy${becauseOf(haproxyObstacle)}`,
  () => {
    let cluster: Cluster;
    let api: ApiClient;
    let admin: ApiClient;

    beforeAll(async () => {
      cluster = await startCluster({
        AUTH_TOKEN_MAX_IDLE_TIME: `${IDLE_MS / 1000}s`,
        API_CUSTOM_PREFIX: 'taken',
      });
      api = createApiClient(cluster.url, withApiKey(cluster.seed.apiKey));
      admin = api.as(withPassword(cluster.seed.admin));
    });

    afterAll(async () => {
      api?.close();
      await cluster?.stop();
    });

    const sumOf = async (processes: readonly ClusterProcess[], metric: string) => {
      const scraped = processes.map(async (name) => scrape(cluster.internalUrl(name)));
      return (await Promise.all(scraped)).reduce((sum, one) => sum + one.sum(metric), 0);
    };

    /** Returns the processes that have logged a request for this method and path. */
    const placesOf = async (request: string): Promise<readonly ClusterProcess[]> =>
      eventually(() => {
        const places = [...apis, ...queries].filter((name) =>
          cluster.requestsOf(name).includes(request),
        );
        expect(places).not.toEqual([]);
        return places;
      });

    it('sends every described route to the processes that serve it', async () => {
      const client = api.as(anonymous);
      const { routes } = await findRoutes();
      const described = routes.filter(
        ({ method, url }) => method !== 'HEAD' && url.startsWith('/api/'),
      );
      expect(described.length).toBeGreaterThan(150);
      const requests: { request: string; isMissing: boolean; expected: readonly string[] }[] = [];
      for (const [index, route] of described.entries()) {
        const { method, url } = route;
        // Distinguishes the requests in the logs where the path has a variable.
        const target = url.replace(':entity', 'Account').replaceAll(/:(\w+)/g, `x${index}`);
        const { body } = await client.send({ method, target });
        const isMissing = (body as { code?: string } | undefined)?.code === 'route.not_found';
        const expected = isForQuery(route) ? queries : apis;
        requests.push({ request: `${method} ${pathOf(target)}`, isMissing, expected });
      }
      await eventually(() => {
        const logged = [...apis, ...queries].map(
          (name) => [name, new Set(cluster.requestsOf(name))] as const,
        );
        const wrong = requests.flatMap(({ request, isMissing, expected }) => {
          const places = logged.flatMap(([name, all]) => (all.has(request) ? [name] : []));
          const isRight = places.length > 0 && places.every((place) => expected.includes(place));
          return isRight && !isMissing ? [] : [`${request}: ${places.join()} ${isMissing}`];
        });
        expect(wrong).toEqual([]);
      });
    });

    it.each([
      '/api/v1/app/user',
      '/api/v1/%41pp/user',
      '//api/v1//App/user',
      '/api/v1/apps/user',
      '/api/v1/notification',
    ])('sends GET %s, another spelling of a path of apis, to an api', async (target) => {
      const headers = withApiKey(cluster.seed.apiKey)('GET', target);
      expect((await api.send({ method: 'GET', target, headers })).status).toBe(200);
      const places = await placesOf(`GET ${target}`);
      expect(apis).toEqual(expect.arrayContaining([...places]));
    });

    it('serves a page of records from query processes and their replica of Postgres', async () => {
      const before = await sumOf(queries, 'annals_database_reads_total');
      await eventually(async () => {
        listIn(await api.get('/Account?maxSize=5'));
        const scraped = await Promise.all(
          queries.map(async (name) => scrape(cluster.internalUrl(name))),
        );
        const fromReplica = scraped.map(
          ({ samples }) => samples('annals_database_reads_total').get('from="replica"') ?? 0,
        );
        expect(Math.max(...fromReplica)).toBeGreaterThan(0);
      });
      expect(await sumOf(queries, 'annals_database_reads_total')).toBeGreaterThan(before);
    });

    it('returns every acknowledged change, also while the replica pauses', async () => {
      const clients = Array.from({ length: 4 }, () =>
        createApiClient(cluster.url, withApiKey(cluster.seed.apiKey)),
      );
      let isDone = false;
      const disturbing = (async () => {
        while (!isDone) {
          await cluster.replica.pause();
          await sleep(150);
          await cluster.replica.resume();
          await sleep(700);
        }
      })();
      const writeAndRead = async (client: ApiClient) => {
        const { id } = recordIn(await client.post('/Account', anAccount()));
        for (let round = 0; round < 40; round++) {
          const website = `https://${round}.example`;
          recordIn(await client.put(`/Account/${id}`, { website }));
          expect(recordIn(await client.get(`/Account/${id}`))).toMatchObject({ website });
        }
        expect((await client.delete(`/Account/${id}`)).status).toBe(200);
        expect((await client.get(`/Account/${id}`)).status).toBe(404);
      };
      try {
        await Promise.all(clients.map(writeAndRead));
      } finally {
        isDone = true;
        await disturbing;
        for (const client of clients) client.close();
      }
    });

    it('reads with every acknowledged definition and permission', async () => {
      const role = recordIn(await admin.post('/Role', { name: 'On and off', data: {} })).id;
      const user = { type: 'api', userName: 'on-and-off', rolesIds: [role] };
      const apiKey = String(recordIn(await admin.post('/User', user))['apiKey']);
      const reader = api.as(withApiKey({ apiKey }));
      const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
      for (const name of ['Quince', 'Quilt', 'Quartz']) {
        const made = await admin.post('/EntityManager/action/createEntity', { name, type: 'Base' });
        expect(made.status, made.text).toBe(200);
        expect(listIn(await admin.get(`/${name}`)).list).toEqual([]);
        for (const field of ['colour', 'weight']) {
          await admin.post(`/Admin/fieldManager/${name}`, { name: field, type: 'varchar' });
          const { id } = recordIn(await admin.post(`/${name}`, { name: 'One', [field]: 'known' }));
          expect(recordIn(await admin.get(`/${name}/${id}`))[field]).toBe('known');
        }
        for (const data of [{ [name]: all }, {}, { [name]: all }, {}]) {
          expect((await admin.put(`/Role/${role}`, { data })).status).toBe(200);
          expect((await reader.get(`/${name}`)).status).toBe(name in data ? 200 : 403);
        }
      }
    });

    const logIn = async (who: { userName: string; password: string }) => {
      const { userName, password: secret } = who;
      const answer = await api.as(withEspo({ userName, secret })).get('/App/user');
      const { token } = answer.body as { readonly token: string };
      return withToken({ userName, secret: token });
    };

    it('extends a token that is used only for reads', async () => {
      const client = api.as(await logIn(cluster.seed.user));
      const until = Date.now() + 2.5 * IDLE_MS;
      while (Date.now() < until) {
        expect((await client.get('/Account?maxSize=1')).status).toBe(200);
        await sleep(500);
      }
      await sleep(IDLE_MS + 500);
      expect((await client.get('/Account?maxSize=1')).status).toBe(401);
      expect(await sumOf(queries, 'annals_login_uses_dropped_total')).toBe(0);
    });

    it('records a sign-in that a query process rejects, with the address of the client', async () => {
      const { userName } = cluster.seed.user;
      const stranger = createApiClient(cluster.url, withPassword({ userName, password: 'guess' }), {
        localAddress: '127.0.0.7',
      });
      expect((await stranger.get('/Account')).status).toBe(401);
      stranger.close();
      await eventually(
        async () => {
          const audit = await admin.get('/System/audit?kind=signIn');
          expect(audit.text).toContain('127.0.0.7');
        },
        { timeoutMs: 20_000, intervalMs: 500 },
      );
    });

    describe('a second factor', () => {
      const withCode = (code: string) => ({ 'Espo-Authorization-Code': code });
      const statusesOf = (answers: readonly ApiAnswer[]) =>
        answers.map(({ status }) => status).toSorted();
      let secret: string;
      let codes: readonly string[];
      let client: ApiClient;
      const codeAt = (steps: number) =>
        new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

      beforeAll(async () => {
        const { user } = cluster.seed;
        client = api.as(withPassword(user));
        ({ secret } = (await client.post('/UserSecurity/totp/generate')).body as {
          secret: string;
        });
        // A step that begins during this test would invalidate the code of the last one.
        const left = 30_000 - (Date.now() % 30_000);
        if (left < 15_000) await sleep(left + 50);
        const factor = { password: user.password, secret, code: codeAt(-1) };
        expect((await client.put('/UserSecurity/totp', factor)).status).toBe(200);
        const made = await client.post(
          '/UserSecurity/totp/recoveryCodes',
          { password: user.password },
          withCode(codeAt(0)),
        );
        expect(made.status, made.text).toBe(200);
        ({ codes } = made.body as { codes: readonly string[] });
      });

      it('is required for a read with a password', async () => {
        const answer = await client.get('/Account');
        expect(answer.body).toMatchObject({ message: 'enterTotpCode' });
      });

      it('accepts a code and a recovery code once in all query processes', async () => {
        for (const code of [codeAt(1), String(codes[0])]) {
          const attempts = Array.from({ length: 4 }, () => {
            const own = createApiClient(cluster.url, withPassword(cluster.seed.user));
            return own.get('/Account', withCode(code)).finally(() => own.close());
          });
          expect(statusesOf(await Promise.all(attempts))).toEqual([200, 401, 401, 401]);
        }
      });

      it('gets 503 while no api can record a code, and reads with keys continue', async () => {
        const code = withCode(String(codes[1]));
        for (const name of apis) cluster.signal(name, 'SIGKILL');
        await Promise.all(apis.map(async (name) => cluster.exited(name)));
        const rejected = await client.get('/Account', code);
        expect([rejected.status, rejected.headers['retry-after']]).toEqual([
          503,
          expect.anything(),
        ]);
        expect((await api.get('/Account')).status).toBe(200);
        const write = await api.post('/Account', anAccount());
        expect([write.status, write.body]).toEqual([
          503,
          { message: 'No process is available.', code: 'service.unavailable' },
        ]);
        await Promise.all(apis.map(async (name) => cluster.start(name)));
        await eventually(async () => {
          expect((await client.get('/Account', code)).status).toBe(200);
        });
      });
    });

    describe('under a load of writes, each followed by a read', () => {
      const writes: AttemptedWrite[] = [];
      const progress = async (load: WriteLoad, count: number) => {
        const goal = load.acknowledged() + count;
        await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), {
          timeoutMs: 60_000,
        });
      };
      const unknown = () => writes.filter(({ outcome }) => outcome === 'unknown');

      /** Returns the writes without a 2xx response. */
      async function during(work: (load: WriteLoad) => Promise<void>) {
        const before = unknown().length;
        const load = startWriteLoad(api, writes);
        try {
          await progress(load, 200);
          await work(load);
          await progress(load, 200);
        } finally {
          await load.stop();
        }
        expect(load.complaints).toEqual([]);
        return unknown().slice(before);
      }

      it.each(['api-1', 'query-1'] as const)(
        'few requests fail when %s is killed',
        async (name) => {
          const failed = await during(async (load) => {
            cluster.signal(name, 'SIGKILL');
            await progress(load, 200);
            await cluster.start(name);
          });
          // At most one per client: the request that the process had.
          expect(failed.length).toBeLessThanOrEqual(name === 'api-1' ? 16 : 0);
        },
      );

      it('no request fails when both apis are replaced one after the other', async () => {
        const failed = await during(async (load) => {
          for (const name of apis) {
            cluster.signal(name, 'SIGTERM');
            await cluster.exited(name);
            await cluster.start(name);
            await progress(load, 100);
          }
        });
        expect(failed).toEqual([]);
      });

      it('a paused api loses its requests within seconds', async () => {
        const failed = await during(async (load) => {
          cluster.signal('api-1', 'SIGSTOP');
          await progress(load, 200);
          cluster.signal('api-1', 'SIGCONT');
        });
        expect(failed.length).toBeLessThanOrEqual(16);
      });

      it('few requests fail when HAProxy reloads its configuration', async () => {
        const failed = await during(async (load) => {
          cluster.signal('haproxy', 'SIGUSR2');
          await progress(load, 200);
        });
        expect(failed.length).toBeLessThanOrEqual(16);
      });
    });

    it('keeps reading when one query process is killed, and through apis without any', async () => {
      const readFor = async (ms: number) => {
        const statuses: (number | string)[] = [];
        const until = Date.now() + ms;
        while (Date.now() < until)
          statuses.push(await api.get('/Account?maxSize=1').then((it) => it.status, String));
        return statuses.filter((status) => status !== 200);
      };
      cluster.signal('query-1', 'SIGKILL');
      expect((await readFor(2_000)).length).toBeLessThanOrEqual(1);
      cluster.signal('query-2', 'SIGKILL');
      await readFor(1_500);
      expect(await readFor(1_000)).toEqual([]);
      const { id } = recordIn(await api.post('/Account', anAccount()));
      recordIn(await api.get(`/Account/${id}`));
      const places = await placesOf(`GET /api/v1/Account/${id}`);
      expect(apis).toEqual(expect.arrayContaining([...places]));
      await Promise.all(queries.map(async (name) => cluster.start(name)));
      await eventually(async () => {
        const other = recordIn(await api.post('/Account', anAccount())).id;
        recordIn(await api.get(`/Account/${other}`));
        const [place = ''] = await placesOf(`GET /api/v1/Account/${other}`);
        expect(queries).toContain(place);
      });
    });

    it('sends requests to processes that are alive while none is ready', async () => {
      const resume = cluster.pausePostgres();
      try {
        await eventually(
          async () => {
            for (const name of [...apis, ...queries])
              expect((await fetch(`${cluster.internalUrl(name)}/readyz`)).status).toBe(503);
          },
          { timeoutMs: 20_000 },
        );
        // Longer than HAProxy needs to notice it.
        await sleep(1_500);
        expect((await api.get('/App/user')).status).toBe(200);
        expect((await api.get('/Metadata')).status).toBe(200);
        const waiting = api.get('/Account?maxSize=1');
        await sleep(500);
        resume();
        expect((await waiting).status).toBe(200);
      } finally {
        resume();
      }
    });

    it('serves TLS with the mounted certificate', async () => {
      const headers = { 'X-Api-Key': cluster.seed.apiKey.apiKey };
      const status = await new Promise<number | undefined>((resolve, reject) => {
        get(
          `${cluster.secureUrl}/api/v1/Account`,
          { headers, ca: readFileSync(cluster.certificate), servername: 'localhost' },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        ).on('error', reject);
      });
      expect(status).toBe(200);
    });
  },
);
