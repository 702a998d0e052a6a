import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { formerKeysDirectory, kafkaListeners, keys } from '../../infra/docker/keys.ts';
import { findAll, readProjectFile } from './source-files.ts';

interface ComposeService {
  readonly profiles?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly deploy?: { readonly resources: { readonly limits: { readonly memory: string } } };
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly hostname?: string;
  readonly logging?: {
    readonly driver: string;
    readonly options: Readonly<Record<string, string>>;
  };
}

const { services }: { readonly services: Readonly<Record<string, ComposeService>> } = parse(
  readProjectFile('docker-compose.yml'),
  { merge: true },
);

it('enables the PROXY protocol for exactly the processes behind HAProxy', () => {
  const config = readProjectFile('infra/haproxy/haproxy.cfg');
  const addresses = findAll([config], /^ {2}server \S+ (\S+):8080\b/gm);
  const names = ['api-1', 'api-2', 'query-1', 'query-2'];
  expect([...new Set(addresses)]).toEqual(names);
  expect(services['haproxy']?.depends_on).toEqual(names);
  const expecting = Object.entries(services).filter(
    ([, { environment }]) => environment?.['ANNALS_PROXY_PROTOCOL'] !== undefined,
  );
  expect(expecting.map(([name]) => name)).toEqual(names);
  for (const [, { environment, ports }] of expecting) {
    expect(environment).toMatchObject({
      ANNALS_PROXY_PROTOCOL: `\${ANNALS_PROXY_PROTOCOL:-true}`,
      // Operators' commands in such an api have to connect through the load balancer.
      ANNALS_URL: 'http://haproxy:8080',
    });
    // These ports accept any address of a client.
    expect(ports).toBeUndefined();
  }
});

it('gives all instances of a service the same settings', () => {
  for (const profile of [
    ['api', 'projector', 'dispatcher'],
    ['api', 'query', 'projector', 'dispatcher'].flatMap((name) => [`${name}-1`, `${name}-2`]),
  ]) {
    const names = profile.map((name) =>
      Object.keys(services[name]?.environment ?? {}).filter(
        (variable) => variable !== 'ANNALS_PROXY_PROTOCOL',
      ),
    );
    expect(names[0]).toContain('WEBHOOK_BATCH_SIZE');
    for (const each of names) expect(each.toSorted()).toEqual(names[0]?.toSorted());
  }
});

it('gives apis more memory for concurrent uploads', () => {
  const limits = new Map(
    Object.entries(services).map(([name, { deploy }]) => [name, deploy?.resources.limits.memory]),
  );
  for (const name of ['api', 'api-1', 'api-2']) expect(limits.get(name)).toBe('1536M');
  for (const name of ['projector', 'dispatcher']) expect(limits.get(name)).toBe('768M');
});

it('gives each profile separate volumes except for the former keys', () => {
  const volumesOf = (profile: string): ReadonlySet<string> =>
    new Set(
      Object.values(services)
        .filter(({ profiles }) => profiles?.includes(profile))
        .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? '')),
    );
  const [single, cluster] = [volumesOf('single'), volumesOf('cluster')];
  expect([...single.intersection(cluster)]).toEqual(['keys']);
  const former = Object.entries(services).filter(([, { volumes = [] }]) =>
    volumes.some((volume) => volume.startsWith('keys:')),
  );
  expect(former.map(([name]) => name)).toEqual(['setup', 'setup-cluster']);
  for (const [, { volumes = [] }] of former)
    expect(volumes).toContain(`keys:${formerKeysDirectory}:ro,nocopy`);
});

it('lets services depend only on services of their profile', () => {
  for (const [name, { profiles = [], depends_on: needs = [] }] of Object.entries(services)) {
    for (const needed of Array.isArray(needs) ? needs : Object.keys(needs))
      expect({ name, needed, profiles: services[needed]?.profiles }).toMatchObject({ profiles });
  }
});

it('limits the size of every container log', () => {
  expect(Object.keys(services).length).toBeGreaterThan(15);
  for (const [name, { logging }] of Object.entries(services)) {
    expect({ name, logging }).toEqual({
      name,
      logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    });
  }
});

it('mounts the disks of Kafka and Postgres read-only in every service', () => {
  const profiles = {
    kafka: ['kafka', 'postgres'],
    'kafka-1': ['kafka-1', 'kafka-2', 'kafka-3', 'postgres-cluster'],
  };
  for (const stores of Object.values(profiles)) {
    const written = stores.map((name) => services[name]?.volumes?.[0]?.split(':')[0]);
    const watching = Object.entries(services).filter(([, { volumes = [] }]) =>
      volumes.some((volume) => volume.startsWith(`${stores[0]}:/var/lib/annals/`)),
    );
    expect(watching.length).toBeGreaterThanOrEqual(3);
    for (const [, { environment, volumes = [] }] of watching) {
      const paths = String(environment?.['STORAGE_PATHS']).split(',');
      const mounted = volumes.filter((volume) => volume.includes('/disks/'));
      expect(mounted.map((volume) => volume.split(':')[0])).toEqual(written);
      expect(mounted.map((volume) => volume.split(':')[1])).toEqual(paths);
      // Without nocopy, Docker would copy files of this image into a volume that is still empty.
      for (const volume of mounted) expect(volume.split(':')[2]).toBe('ro,nocopy');
    }
  }
});

it('requires SASL on every broker listener and gives every service the credentials', () => {
  const map = kafkaListeners.map((name) => `${name}:SASL_PLAINTEXT`);
  const brokers = Object.values(services).filter(({ image }) => image?.startsWith('apache/kafka'));
  expect(brokers.length).toBe(4);
  for (const { environment = {}, volumes } of brokers) {
    const { KAFKA_LISTENERS: listeners, KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: protocols } =
      environment;
    const names = String(listeners)
      .split(',')
      .map((one) => one.split(':')[0]);
    expect(names.toSorted()).toEqual(kafkaListeners.toSorted());
    expect(String(protocols).split(',').toSorted()).toEqual(map.toSorted());
    expect(volumes?.[1]).toMatch(
      /^kafka-login-(?:single|cluster):\/mnt\/shared\/config:ro,nocopy$/,
    );
    const classes = relative(dirname(keys.kafkaServerProperties), keys.kafkaClasses);
    expect(environment['CLASSPATH']).toBe(join('/mnt/shared/config', classes));
  }
  const clients = Object.values(services).filter(
    ({ environment }) => environment?.['KAFKA_BROKERS'] !== undefined,
  );
  expect(clients.length).toBeGreaterThan(8);
  for (const { environment } of clients) {
    expect(environment).toMatchObject({
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'annals',
      KAFKA_SASL_PASSWORD_FILE: keys.kafkaPassword,
    });
  }
});

it('sets no host name that scaled containers would share', () => {
  const named = Object.entries(services).filter(([, { hostname }]) => hostname !== undefined);
  expect(named).toEqual([]);
});
