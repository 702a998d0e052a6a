import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { readAlertRules, readBoard } from '../support/observe-files.ts';
import { plantSecrets } from '../support/proofs/plant-secrets.ts';
import { createSecretSearch } from '../support/proofs/secret-search.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import {
  type ComposeProject,
  findComposeObstacle,
  startComposeProject,
} from './compose-project.ts';
import { linesOf } from './lines-of.ts';

const obstacle = await findComposeObstacle();
const because = becauseOf(obstacle);
const imageWithinBytes = 250_000_000;
const services = ['api', 'projector', 'dispatcher'] as const;
let project: ComposeProject;
let api: ApiClient;

describe.skipIf(obstacle !== undefined)(`docker compose up${because}`, () => {
  beforeAll(async () => {
    project = await startComposeProject('single', {
      LOG_LEVEL: 'trace',
      WEBHOOK_QUEUE_INTERVAL: '0',
      WEBHOOK_ALLOWED_ADDRESSES: 'receiver:8000',
    });
    api = createApiClient(project.url, withApiKey((await project.access()).apiKey));
  });

  afterAll(async () => {
    api?.close();
    await project?.remove();
  });

  it('becomes healthy within a minute', () => {
    report(`single: healthy after ${project.startedWithinMs} ms`);
    expect(project.startedWithinMs).toBeLessThan(60_000);
  });

  it('creates and returns a record and notifies a webhook', async () => {
    const receiver = await project.startReceiver();
    await registerWebhook(api, { event: 'Account.create', url: receiver.url });
    const { id } = recordIn(await api.post('/Account', { name: 'Acme' }));
    expect(recordIn(await api.get(`/Account/${id}`))['name']).toBe('Acme');
    await eventually(async () => {
      expect((await receiver.bodies()).flat()).toContainEqual(
        expect.objectContaining({ id, name: 'Acme' }),
      );
    });
    await receiver.stop();
  });

  it('keeps records and keys when the containers are recreated', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'Kept' }));
    await project.compose('up', '--detach', '--wait', '--force-recreate');
    expect(recordIn(await api.get(`/Account/${id}`))['name']).toBe('Kept');
  });

  it('is restored with its keys from the documented backup', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'Backed up' }));
    const backup = mkdtempSync(join(tmpdir(), 'annals-backup-'));
    const [making = '', restoring = ''] = linesOf('Backing up and restoring');
    await project.runLines(making, backup);
    expect(readdirSync(backup).toSorted()).toEqual(['annals', 'keys.tgz']);
    recordIn(await api.post('/Account', { name: 'Lost' }));
    expect(await project.runLines(restoring, backup)).toContain('0 faults');
    rmSync(backup, { recursive: true });
    expect(recordIn(await api.get(`/Account/${id}`))['name']).toBe('Backed up');
    const lost = '/Account?where[0][type]=equals&where[0][attribute]=name&where[0][value]=Lost';
    expect((await api.get(lost)).body).toMatchObject({ list: [] });
  });

  it('shows operators a status without problems', async () => {
    expect(JSON.parse(await project.annals('status', '--json'))).toMatchObject({ rejected: [] });
    expect(JSON.parse(await project.annals('doctor', '--json'))).toMatchObject({ faults: 0 });
  });

  it('runs services without permission to change their containers', async () => {
    const size = await project.docker('image', 'inspect', '--format', '{{.Size}}', 'annals:0.2.0');
    report(`image: ${Math.round(Number(size) / 1e6)} MB`);
    expect(Number(size)).toBeLessThan(imageWithinBytes);
    const rights = '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}}';
    for (const service of services) {
      const container = project.containerOf(service);
      expect(await project.docker('inspect', '--format', rights, container)).toBe(
        'node true [ALL]\n',
      );
      const attempt = `id -u; touch /app/x || echo refused; cat /proc/1/status | grep CapEff`;
      expect(await project.compose('exec', '-T', service, 'sh', '-c', attempt)).toBe(
        '1000\nrefused\nCapEff:\t0000000000000000\n',
      );
    }
  });

  it("shows no secret in Docker's output or in any log", async () => {
    const { admin, user, apiKey, hmac } = await project.access();
    const receiver = await project.startReceiver();
    const planted = await plantSecrets(api.as(withPassword(admin)), receiver.url);
    await eventually(async () => expect((await receiver.bodies()).length).toBeGreaterThan(0));
    await receiver.stop();
    const kept = async (file: string) =>
      (await project.compose('exec', '-T', 'api', 'cat', `/var/lib/annals/keys/${file}`)).trim();
    const secrets = [
      ...[admin.password, user.password, apiKey.apiKey, hmac.apiKey, hmac.secretKey],
      ...[await kept('secret-key'), new URL(await kept('database-url')).password],
      await kept('kafka-password'),
      ...planted.secrets,
    ];
    const secretsIn = createSecretSearch(secrets, [admin.userName, user.userName, 'canary']);
    const containers = (await project.compose('ps', '--all', '--quiet')).trim().split('\n');
    expect(containers.length).toBe(6);
    const outputs = {
      inspect: await project.docker('inspect', ...containers),
      history: await project.docker('history', '--no-trunc', 'annals:0.2.0'),
      logs: await project.compose('logs', '--no-color'),
    };
    expect(outputs.logs).toContain('"level":20');
    for (const [where, text] of Object.entries(outputs)) {
      expect({ where, secrets: secretsIn(text) }).toEqual({ where, secrets: [] });
    }
    expect(secretsIn(JSON.stringify({ apiKey }))).toEqual([2]);
  });

  it('is monitored by Prometheus with every target up and every rule and panel valid', async () => {
    await project.compose('--profile', 'observe', 'up', '--detach', '--wait', 'prometheus');
    await eventually(
      async () => {
        const { activeTargets } = await queryPrometheus<Targets>('targets');
        const up = activeTargets.filter(({ health }) => health === 'up');
        const names = up.map(({ labels }) => labels.instance.split(' at ')[0] ?? '');
        expect(names.toSorted()).toEqual(services.toSorted());
      },
      { timeoutMs: 60_000, intervalMs: 1_000 },
    );
    const { groups } = await queryPrometheus<RuleGroups>('rules');
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.map(({ name }) => name)).toEqual(readAlertRules().map(({ alert }) => alert));
    await eventually(
      async () => {
        const evaluated = (await queryPrometheus<RuleGroups>('rules')).groups.flatMap(
          (it) => it.rules,
        );
        expect(evaluated.filter(({ health }) => health !== 'ok')).toEqual([]);
      },
      { timeoutMs: 60_000, intervalMs: 1_000 },
    );
    for (const { title, expressions } of readBoard()) {
      for (const query of expressions) {
        const { resultType } = await queryPrometheus<{ readonly resultType: string }>('query', {
          query: query.replaceAll('$__rate_interval', '1m'),
        });
        expect({ title, resultType }).toEqual({ title, resultType: 'vector' });
      }
    }
  });
});

interface Targets {
  readonly activeTargets: readonly {
    readonly health: string;
    readonly labels: { readonly instance: string };
  }[];
}

interface RuleGroups {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string }[];
  }[];
}

/** Throws the error of Prometheus if a query is invalid. */
async function queryPrometheus<Data>(path: string, parameters = {}): Promise<Data> {
  const url = `${project.prometheusUrl}/api/v1/${path}?${new URLSearchParams(parameters)}`;
  const { data, error } = (await (await fetch(url)).json()) as {
    readonly data?: Data;
    readonly error?: string;
  };
  if (data === undefined) throw new Error(error);
  return data;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
