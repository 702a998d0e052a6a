import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readSeedFile } from '../../infra/local/data-directory/seed-file.ts';
import { topicNames, wantedTopics } from '../../shared/kafka/topics.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { provideHelms } from './chart-programs.ts';
import {
  chart,
  findObject,
  findPods,
  type KubernetesObject,
  renderObjects,
} from './render-chart.ts';
import { valueSets } from './value-sets.ts';

const { helm, other, obstacle, otherObstacle } = await provideHelms();
const options = { timeout: 60_000 };

describe.skipIf(obstacle !== undefined)(`the chart${becauseOf(obstacle)}`, options, () => {
  const rendered = new Map<string, readonly KubernetesObject[]>();
  const objectsOf = (name: string): readonly KubernetesObject[] => rendered.get(name) ?? [];

  beforeAll(async () => {
    for (const [name, values] of Object.entries(valueSets))
      rendered.set(name, await renderObjects(helm, values));
  });

  it('creates the objects that each set of values needs', async () => {
    const lists = Object.entries(valueSets).map(([name]) => [
      name,
      objectsOf(name).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ]);
    const text = stringify(Object.fromEntries(lists), { lineWidth: 0 });
    await expect(text).toMatchFileSnapshot('snapshots/objects.yaml');
  });

  it('creates the pods, policies and routes of the reviewed snapshot', async () => {
    const everything = objectsOf('everything');
    const reviewed = [
      findObject(objectsOf('inline'), 'ConfigMap', 'annals-settings'),
      findObject(objectsOf('inline'), 'Deployment', 'annals-api'),
      findObject(objectsOf('inline'), 'Job', 'annals-setup'),
      findObject(objectsOf('secured'), 'NetworkPolicy', 'records-api'),
      findObject(objectsOf('secured'), 'NetworkPolicy', 'records-dispatcher'),
      findObject(everything, 'HTTPRoute', 'annals-api'),
      findObject(everything, 'ScaledObject', 'annals-projector'),
      findObject(everything, 'CronJob', 'annals-backup'),
      findObject(objectsOf('operators'), 'KafkaUser', 'annals-client'),
      findObject(objectsOf('operators'), 'Cluster', 'annals-postgres'),
    ];
    const text = reviewed.map((one) => stringify(one, { lineWidth: 0 })).join('---\n');
    // Omits lines that change with each version.
    const omitted =
      /^ *(?:app\.kubernetes\.io\/(?:part-of|version|managed-by)|helm\.sh\/chart|image|checksum\/settings): .*\n/gm;
    await expect(text.replaceAll(omitted, '')).toMatchFileSnapshot('snapshots/reviewed.yaml');
  });

  it('gives no pod privileges, a token or a writable root file system', () => {
    const pods = [...rendered.values()].flatMap(findPods);
    expect(pods.length).toBeGreaterThan(25);
    for (const { name, template } of pods) {
      expect({ name, spec: template.spec }).toMatchObject({
        name,
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                readOnlyRootFilesystem: true,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      });
    }
  });

  it('generates keys that Annals accepts, different for each installation', async () => {
    const keysOf = async () => {
      const secret = findObject(
        await renderObjects(helm, valueSets['external'] ?? {}),
        'Secret',
        'annals-keys',
      );
      expect(secret).toMatchObject({
        immutable: true,
        metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } },
      });
      return Object.fromEntries(
        Object.entries<string>(secret['data']).map(([key, value]) => [
          key,
          Buffer.from(value, 'base64').toString(),
        ]),
      );
    };
    const first = await keysOf();
    const second = await keysOf();
    expect(first['secret-key']).toMatch(/^[0-9a-f]{64}$/);
    expect(first['secret-key']).not.toBe(second['secret-key']);
    withFile(first['seed.json'] ?? '', (path) => {
      const seed = readSeedFile(path);
      expect(seed.admin.password).toHaveLength(20);
      expect(seed.hmac.secretKey).toMatch(/^[0-9a-f]{32}$/);
      expect(JSON.parse(first['access.json'] ?? '')).toEqual({
        ...seed,
        url: 'http://127.0.0.1:8080',
      });
    });
  });

  it('creates the topics that Annals would create, and keeps them when it is uninstalled', () => {
    const objects = objectsOf('operators').filter(({ kind }) => kind === 'KafkaTopic');
    const topics = objects.map(({ spec }) => ({
      topic: spec.topicName,
      numPartitions: spec.partitions,
      replicationFactor: spec.replicas,
      config: Object.fromEntries(
        Object.entries(spec.config).map(([name, value]) => [name, String(value)]),
      ),
    }));
    const wanted = wantedTopics(topicNames('annals'), { recordPartitions: 24 }, 3).map(
      ({ configEntries, ...topic }) => ({
        ...topic,
        config: Object.fromEntries(configEntries.map(({ name, value }) => [name, value])),
      }),
    );
    const byName = (left: { topic: string }, right: { topic: string }) =>
      left.topic < right.topic ? -1 : 1;
    expect(topics.toSorted(byName)).toEqual(wanted.toSorted(byName));
    const owned = objectsOf('operators').filter(({ apiVersion }) =>
      /strimzi|cnpg/.test(apiVersion),
    );
    for (const { kind, metadata } of owned) {
      if (kind === 'Pooler') continue;
      expect({ kind, ...metadata.annotations }).toMatchObject({
        'helm.sh/resource-policy': 'keep',
      });
    }
  });

  it('contains the alerts, with links to the given documents, and the dashboard', () => {
    const rule = findObject(objectsOf('everything'), 'PrometheusRule', 'annals-alerts');
    const text = readFileSync(join(chart, 'files', 'alerts.yml'), 'utf8');
    const links = /\{\{ or \$externalLabels\.annals_docs "docs" \}\}/g;
    expect(rule['spec']).toEqual(parse(text.replaceAll(links, 'https://git.example/annals/docs')));
    const dashboard = findObject(objectsOf('everything'), 'ConfigMap', 'annals-dashboard');
    expect(JSON.parse(dashboard['data']['annals.json'])).toEqual(
      JSON.parse(readFileSync(join(chart, 'files', 'dashboard.json'), 'utf8')),
    );
  });

  it('stops all services for maintenance', () => {
    const objects = objectsOf('maintenance');
    const replicas = objects.flatMap(({ kind, metadata, spec }) =>
      kind === 'Deployment' ? [[metadata.name, spec.replicas]] : [],
    );
    expect(Object.fromEntries(replicas)).toEqual({
      'annals-api': 0,
      'annals-query': 0,
      'annals-projector': 0,
      'annals-dispatcher': 0,
      'annals-maintenance': 1,
    });
    const kinds = objects.map(({ kind }) => kind);
    expect(kinds).not.toContain('Job');
    expect(kinds).not.toContain('HorizontalPodAutoscaler');
    expect(findObject(objects, 'CronJob', 'annals-backup')['spec'].suspend).toBe(true);
  });

  describe.skipIf(otherObstacle !== undefined)(`with Helm 4${becauseOf(otherObstacle)}`, () => {
    it.each(Object.keys(valueSets))('renders the same as with Helm 3: %s', async (name) => {
      const objects = await renderObjects(other, valueSets[name] ?? {});
      expect(withoutKeys(objects)).toEqual(withoutKeys(objectsOf(name)));
    });
  });
});

/** Omits generated keys, and sorts objects, because Helm 4 may order equal kinds differently. */
function withoutKeys(objects: readonly KubernetesObject[]): readonly unknown[] {
  return objects
    .map((one) => (one.metadata.name.endsWith('-keys') ? { ...one, data: {} } : one))
    .map((one) => ({ place: `${one.kind} ${one.metadata.name}`, one }))
    .toSorted((left, right) => (left.place < right.place ? -1 : 1));
}

function withFile(content: string, use: (path: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'annals-seed-'));
  try {
    writeFileSync(join(directory, 'seed.json'), content);
    use(join(directory, 'seed.json'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
