import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import type { LoggedEvent } from '../../shared/events/log-entry.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { linesOf } from '../compose/lines-of.ts';
import { readProjectFile } from '../contract/source-files.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { proveLog } from '../support/proofs/prove-writes.ts';
import type { AttemptedWrite } from '../support/write-load.ts';
import { createClusterClient, image, namespace, type Pod } from './cluster/cluster-client.ts';
import {
  awaitProgram,
  connectProgram,
  describeClient,
  describeKiller,
} from './cluster/test-pods.ts';

const prefix = process.env['ANNALS_CLUSTER'] ?? '';
const because = becauseOf(
  prefix === '' ? 'ANNALS_CLUSTER names no cluster: see "Test tiers"' : undefined,
);
const cluster = createClusterClient(prefix.split(' '));
const { kubectl, exec, apply, pods } = cluster;

const root = join(import.meta.dirname, '..', '..');
const components = ['api', 'query', 'projector', 'dispatcher'];
const patience = { timeoutMs: 120_000, intervalMs: 1_000 };
/** Without a Pod Security Standard: its pods may access the processes of a node. */
const nodesNamespace = 'annals-nodes';

/** The directory of an operator: `infra/chart`, `values.yaml` and the copied keys. */
let directory: string;
let values: object = {
  image: { repository: 'annals' },
  kafka: {
    brokers: ['kafka:19092'],
    recordPartitions: 8,
    sasl: {
      mechanism: 'plain',
      allowPlainWithoutTls: true,
      existingSecret: { name: 'kafka-account' },
    },
  },
  postgres: { existingSecret: { name: 'postgres' } },
  query: { enabled: true },
  networkPolicy: { egress: { enabled: true } },
  // No backup runs unless a test starts it.
  backup: { schedule: '0 0 1 1 *' },
};
const url = 'http://annals-api:8080';
let apiKey: string;
const ownNamespaces: string[] = [];
const writes: AttemptedWrite[] = [];

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function change(changes: object): void {
  values = { ...values, ...changes };
  writeFileSync(join(directory, 'values.yaml'), stringify(values));
}

/** Runs the block of commands in docs/operations/kubernetes.md that contains the text. */
async function documented(
  heading: string,
  text: string,
  replacements: Readonly<Record<string, string>> = {},
): Promise<string> {
  const document = 'docs/operations/kubernetes.md';
  const blocks = linesOf(heading, { document }).filter((lines) => lines.includes(text));
  expect(blocks, `${heading}: ${text}`).toHaveLength(1);
  let [lines = ''] = blocks;
  for (const [example, real] of Object.entries(replacements)) {
    expect(lines).toContain(example);
    lines = lines.replaceAll(example, real);
  }
  return cluster.runLines(lines, directory);
}

const upgrade = async (): Promise<string> => documented('Upgrading', 'helm upgrade');

interface Expectation {
  readonly isEveryWriteAcknowledged: boolean;
}

/** Does the work while 16 clients write, and proves that no acknowledged write is missing or duplicated in the log. */
async function underLoad(
  title: string,
  { isEveryWriteAcknowledged }: Expectation,
  work: () => Promise<unknown>,
): Promise<void> {
  const load = cluster.startLoad(url, apiKey);
  await progress(load, 100);
  await work().finally(async () => {
    await progress(load, 100);
    const outcome = await load.stop();
    writes.push(...outcome.writes);
    const unknown = outcome.writes.filter(({ outcome: one }) => one === 'unknown');
    report(
      `${title}: ${outcome.writes.length} writes, ${unknown.length} not acknowledged, longest time without an acknowledged one ${outcome.longestGapMs} ms`,
    );
    for (const reason of new Set(unknown.map((one) => one.reason))) report(`  ${reason}`);
    expect(outcome.complaints).toEqual([]);
    if (isEveryWriteAcknowledged) expect(unknown).toEqual([]);
  });
  await prove(writes);
}

const everyWrite = { isEveryWriteAcknowledged: true };

async function progress(load: { acknowledged(): number }, count: number): Promise<void> {
  const goal = load.acknowledged() + count;
  await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), patience);
}

/** Every acknowledged write is in the log once, and Postgres matches the log. */
async function prove(expected: readonly AttemptedWrite[]): Promise<void> {
  const lines = await annals('tail', '--no-follow', '--entity', 'Account', '--json');
  const events = lines
    .trim()
    .split('\n')
    .map((line): LoggedEvent => JSON.parse(line));
  await proveLog({ events: async () => events }, topicNames('annals').records, expected);
  await annals('verify');
}

const annals = async (...args: readonly string[]): Promise<string> =>
  exec('deployment/annals-api', 'annals', ...args);

/** Addresses that accept a connection from a pod. */
async function reachable(target: string, addresses: readonly string[]): Promise<readonly string[]> {
  const found = await exec(target, 'node', '-e', connectProgram, ...addresses);
  return Object.entries(JSON.parse(found)).flatMap(([address, isOpen]) =>
    isOpen ? [address] : [],
  );
}

async function createInfrastructure(): Promise<void> {
  const manifests = readProjectFile('test/chart/cluster/kafka-and-postgres.yaml');
  await apply(manifests.replaceAll('$IMAGE', image));
  for (const name of ['kafka', 'postgres'])
    await kubectl('rollout', 'status', `statefulset/${name}`, '--timeout=5m');
}

/** Deletes Kafka and Postgres with their volumes, and creates empty ones. */
async function emptyInfrastructure(): Promise<void> {
  await kubectl('delete', 'statefulset', 'kafka', 'postgres', '--cascade=foreground');
  await kubectl('delete', 'persistentvolumeclaim', 'data-kafka-0', 'data-postgres-0');
  await createInfrastructure();
}

/** A node without Kafka's volume, on which only pods of the release run. */
async function findNodeToDrain(): Promise<string> {
  const kafka = await nodeOf('kafka-0');
  const other = (await pods(...components)).find(({ node }) => node !== kafka);
  if (other === undefined)
    throw new Error(`All pods are on ${kafka}: the cluster needs two nodes.`);
  return other.node;
}

const nodeOf = async (pod: string): Promise<string> =>
  kubectl('get', 'pod', pod, '--output', 'jsonpath={.spec.nodeName}');

async function ownerOf(partition: number): Promise<Pod> {
  const { partitions } = JSON.parse(await annals('status', '--json'));
  const found = partitions.find(
    (one: { topic: string; partition: number }) =>
      one.topic === topicNames('annals').records && one.partition === partition,
  );
  const { hostname } = new URL(found.owner);
  const owner = (await pods('api')).find(({ ip }) => ip === hostname);
  if (owner === undefined)
    throw new Error(`The owner of partition ${partition} is ${found.owner}.`);
  return owner;
}

/** Kilobytes of memory by component: the largest peak of its pods. */
async function measureMemory(): Promise<string> {
  const peaks = new Map<string, number>();
  for (const { name, component } of await pods(...components)) {
    const status = await exec(name, 'cat', '/proc/1/status');
    const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    peaks.set(component, Math.max(peaks.get(component) ?? 0, Math.round(peak)));
  }
  return [...peaks].map(([component, peak]) => `${component} ${peak} MiB`).join(', ');
}

describe.skipIf(prefix === '')(`the chart in a cluster${because}`, () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'annals-operator-'));
    symlinkSync(join(root, 'infra'), join(directory, 'infra'));
    change({});
    // Fails if there is such a namespace, because it may belong to a real installation.
    await documented('Installing', 'kubectl create namespace');
    ownNamespaces.push(namespace);
    await kubectl('create', 'namespace', nodesNamespace);
    ownNamespaces.push(nodesNamespace);
    await createInfrastructure();
    await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: describeClient() }));
    await kubectl('wait', '--for=condition=Ready', 'pod/client', '--timeout=2m');
  }, 600_000);

  afterAll(async () => {
    if (ownNamespaces.length > 0) await kubectl('delete', 'namespace', ...ownNamespaces);
    rmSync(directory, { recursive: true });
  }, 300_000);

  it('responds with 200 through the Service after the documented installation', async () => {
    const start = Date.now();
    const installation = documented('Installing', 'helm install');
    const template = 'go-template={{index .data "seed.json" | base64decode}}';
    const seed = await eventually(
      async () => kubectl('get', 'secret', 'annals-keys', '--output', template),
      patience,
    );
    ({ apiKey } = JSON.parse(seed).apiKey);
    await exec('client', 'node', '-e', awaitProgram, `${url}/api/v1/App/user`, apiKey);
    const firstResponseMs = Date.now() - start;
    await installation;
    report(
      `first 200 after ${firstResponseMs} ms, helm install ended after ${Date.now() - start} ms`,
    );
    report(`memory at rest: ${await measureMemory()}`);
    const list = `${url.replace('annals-api', 'annals-query')}/api/v1/Account`;
    await exec('client', 'node', '-e', awaitProgram, list, apiKey);
  });

  it('gives operators the keys, and access to the API with the documented commands', async () => {
    await documented('Installing', 'mkdir annals-keys');
    const copy = join(directory, 'annals-keys');
    expect(readFileSync(join(copy, 'secret-key'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    const { admin, ...others } = JSON.parse(readFileSync(join(copy, 'access.json'), 'utf8'));
    expect(others.apiKey.apiKey).toBe(apiKey);
    const output = await documented('Installing', 'annals doctor', {
      'admin:…': `admin:${admin.password}`,
    });
    expect(output).toContain('0 faults');
    expect(output).toContain('"userName":"admin"');
  });

  it('spreads the pods of each service over the nodes', async () => {
    for (const component of ['api', 'projector', 'dispatcher']) {
      const nodes = (await pods(component)).map(({ node }) => node);
      expect({ component, nodes: new Set(nodes).size }).toEqual({ component, nodes: nodes.length });
    }
  });

  it('opens only port 8080 of apis and query processes to pods outside of the release', async () => {
    const open = (await pods('api', 'query')).map(({ ip }) => `${ip}:8080`);
    const internal = (await pods(...components)).map(({ ip }) => `${ip}:9090`);
    expect(internal).toHaveLength(8);
    expect(await reachable('client', [...open, ...internal])).toEqual(open);
    expect(await reachable('deployment/annals-api', internal)).toEqual(internal);
  });

  it('lets only dispatchers connect to other addresses if egress is restricted', async () => {
    const client = await kubectl('get', 'pod', 'client', '--output', 'jsonpath={.status.podIP}');
    const receiver = [`${client}:8000`];
    expect(await reachable('deployment/annals-dispatcher', receiver)).toEqual(receiver);
    for (const component of ['api', 'query', 'projector'])
      expect(await reachable(`deployment/annals-${component}`, receiver)).toEqual([]);
  });

  it('stores no secret in objects other than Secrets, and none in logs', async () => {
    const access = readFileSync(join(directory, 'annals-keys', 'access.json'), 'utf8');
    const secrets = [...access.matchAll(/"(?:password|apiKey|secretKey)": ?"([^"]+)"/g)].map(
      ([, secret = '']) => secret,
    );
    secrets.push(readFileSync(join(directory, 'annals-keys', 'secret-key'), 'utf8'));
    expect(secrets).toHaveLength(6);
    secrets.push('password-of-kafka', 'password-of-postgres');
    const kinds = 'configmaps,deployments,replicasets,pods,jobs,events';
    const objects = await kubectl('get', kinds, '--output', 'yaml');
    const selector = ['--selector', 'app.kubernetes.io/name=annals', '--tail=-1', '--prefix'];
    const logs = await kubectl('logs', ...selector, '--max-log-requests=20');
    expect(logs).toContain('"level":30');
    expect(secrets.filter((secret) => `${objects}${logs}`.includes(secret))).toEqual([]);
  });

  it('rejects no write during an upgrade that replaces every pod', async () => {
    const before = (await pods(...components)).map(({ name }) => name);
    change({ settings: { LOG_LEVEL: 'warn' } });
    await underLoad('upgrade', everyWrite, upgrade);
    const after = (await pods(...components)).map(({ name }) => name);
    expect(after).toHaveLength(before.length);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  it('rejects no write during a rollback', async () => {
    await underLoad('rollback', everyWrite, async () => documented('Upgrading', 'helm rollback'));
    const map = await kubectl('get', 'configmap', 'annals-settings', '--output', 'yaml');
    expect(map).not.toContain('LOG_LEVEL');
  });

  it('changes no pod if the Job before the upgrade fails, and logs the remedy', async () => {
    const before = await pods(...components);
    const { kafka } = values as { readonly kafka: object };
    change({ kafka: { ...kafka, recordPartitions: 9 } });
    await expect(upgrade()).rejects.toThrow(/pre-upgrade/);
    expect(await kubectl('logs', 'job/annals-setup')).toContain(
      'annals.records has 8 partitions, and this cannot be changed',
    );
    expect(await pods(...components)).toEqual(before);
    change({ kafka });
    await upgrade();
  });

  it('uses more pods after their numbers were raised, without rejecting a write', async () => {
    change({ api: { replicas: 3 }, projector: { replicas: 3 } });
    await underLoad('scaling out', everyWrite, upgrade);
    expect(await pods('api', 'projector')).toHaveLength(6);
    const { instances } = JSON.parse(await annals('status', '--json'));
    expect([instances.apis.length, instances.projectors.length]).toEqual([3, 3]);
    change({ api: { replicas: 2 }, projector: { replicas: 2 } });
    await underLoad('scaling in', everyWrite, upgrade);
  });

  it('rejects no write while a node is drained', async () => {
    const node = await findNodeToDrain();
    try {
      await underLoad('drain', everyWrite, async () => {
        await documented('Draining a node', 'kubectl drain', { 'node-2': node });
        await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=5m');
      });
      expect((await pods(...components)).filter((pod) => pod.node === node)).toEqual([]);
    } finally {
      await documented('Draining a node', 'kubectl uncordon', { 'node-2': node });
    }
    expect((await pods(...components)).map((pod) => pod.node)).toContain(node);
  });

  it('loses no acknowledged write when the owner of a partition is killed', async () => {
    const owner = await ownerOf(0);
    await underLoad('owner killed', { isEveryWriteAcknowledged: false }, async () => {
      const inNodes = ['--namespace', nodesNamespace];
      const killer = JSON.stringify(describeKiller(owner));
      await cluster.run(['kubectl', ...inNodes, 'apply', '--filename', '-'], { input: killer });
      await eventually(async () => {
        const found = (await pods('api')).find(({ name }) => name === owner.name);
        expect(found?.restarts).toBe(owner.restarts + 1);
      }, patience);
      await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=5m');
    });
    await annals('doctor');
    report(`peak of memory: ${await measureMemory()}`);
  });

  it('is restored from a backup with the documented commands', async () => {
    const document = 'docs/operations/kubernetes.md';
    const [claim = ''] = linesOf('Backing up', { document, language: 'yaml' });
    expect(parseAllDocuments(claim)).toHaveLength(1);
    await apply(claim);
    change({ backup: { enabled: true, existingClaim: 'annals-backups', schedule: '0 0 1 1 *' } });
    await upgrade();
    await documented('Backing up', 'backup-now');
    report(await kubectl('logs', 'job/backup-now'));
    const backedUp = [...writes];
    await underLoad('after the backup', everyWrite, async () => {});

    await documented('Restoring', 'annals-restored-keys');
    change({ keys: { existingSecret: 'annals-restored-keys' } });
    await documented('Restoring', 'maintenance.enabled=true');
    expect(await pods(...components)).toEqual([]);
    await emptyInfrastructure();
    report(await documented('Restoring', 'annals restore'));
    change({ backup: { enabled: true, existingClaim: 'annals-backups', directory: 'annals-2' } });
    expect(await documented('Restoring', 'annals verify')).toContain('0 faults');
    await prove(backedUp);
    writes.splice(0, writes.length, ...backedUp);
    await underLoad('after the restore', everyWrite, async () => {});
  });

  it('keeps the generated keys when it is uninstalled', async () => {
    await documented('Uninstalling', 'helm uninstall');
    await eventually(async () => expect(await pods(...components)).toEqual([]), patience);
    expect(await kubectl('get', 'secret', 'annals-keys', '--output', 'name')).toContain('keys');
    expect(await kubectl('get', 'deployments', '--output', 'name')).toBe('');
  });
});
