import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import type { AccessFile } from '../../infra/local/supervisor/access-file.ts';
import { startComposeProject } from '../compose/compose-project.ts';
import { createApiClient } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import type { DiskImage } from '../support/disk-image.ts';
import { eventually } from '../support/eventually.ts';
import { startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

/** An Annals with all or part of its data on a small disk. */
export interface Installation {
  readonly url: string;
  readonly apiKey: AccessFile['apiKey'];
  readonly kafka: KafkaAccess;
  /** How often Kafka and Postgres exited for lack of space, and were restarted. */
  ends(): Promise<readonly [kafka: number, postgres: number]>;
  /** The messages of Postgres at these exits. */
  panics(): Promise<readonly string[]>;
  untilReady(): Promise<void>;
  /** Returns the differences that `annals verify` finds; empty without differences. */
  verify(): Promise<string>;
  keepLogs(directory: string): Promise<void>;
  remove(): Promise<void>;
}

/** The contents of the full disk: everything, or only the data of Kafka or Postgres. */
export type DiskContent = 'all' | 'kafka' | 'postgres';

const linesWith = (text: string, part: string): readonly string[] =>
  text.split('\n').filter((line) => line.includes(part));

/** Starts `npm start` with its data directory, or the given part of it, on the disk. */
export async function startOnDisk(disk: DiskImage, of: DiskContent): Promise<Installation> {
  const place = makeTestDirectory();
  if (of !== 'all') symlinkSync(disk.path, join(place, of));
  const product = await startProduct({
    infrastructure: 'own',
    dataDir: of === 'all' ? join(disk.path, 'annals') : place,
    env: { LOG_LEVEL: 'warn' },
  });
  const logOf = (name: string): string => join(product.dataDir, name, `${name}.log`);
  const endsOf = (name: string): number => linesWith(product.output(), `${name} ended`).length;
  return {
    url: product.url,
    apiKey: product.access().apiKey,
    kafka: product.access().kafka,
    ends: async () => [endsOf('kafka'), endsOf('postgres')],
    panics: async () => linesWith(readFileSync(logOf('postgres'), 'utf8'), 'PANIC:'),
    untilReady: async () => {
      for (const name of ['api', 'projector', 'dispatcher']) await product.waitUntilReady(name);
    },
    verify: async () => {
      const { code, stdout, stderr } = await runCli(['verify', '--data-dir', product.dataDir], {});
      return code === 0 ? '' : `${stdout}${stderr}`;
    },
    keepLogs: async (directory) => {
      cpSync(join(product.dataDir, 'logs'), join(directory, 'services'), { recursive: true });
      for (const name of ['kafka', 'postgres']) {
        cpSync(logOf(name), join(directory, `${name}.log`));
      }
      process.stdout.write(product.output());
    },
    remove: async () => {
      await product.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the containers of profile `single`, with the volumes of Kafka and Postgres, or of one of them, on
 * the disk.
 */
export async function startContainersOnDisk(
  disk: DiskImage,
  of: DiskContent,
): Promise<Installation> {
  const override = join(disk.path, 'override.yml');
  const names = of === 'all' ? ['kafka', 'postgres'] : [of];
  for (const name of names) mkdirSync(join(disk.path, name));
  writeFileSync(override, JSON.stringify(toOverride(disk.path, names)));
  const project = await startComposeProject('single', {
    COMPOSE_FILE: `docker-compose.yml:${override}`,
    LOG_LEVEL: 'warn',
  });
  const restartsOf = async (service: string): Promise<number> =>
    Number(
      await project.docker(
        'inspect',
        '--format',
        '{{.RestartCount}}',
        project.containerOf(service),
      ),
    );
  const { apiKey } = await project.access();
  return {
    url: project.url,
    apiKey,
    kafka: project.kafka,
    ends: async () => [await restartsOf('kafka'), await restartsOf('postgres')],
    panics: async () => linesWith(await project.compose('logs', 'postgres'), 'PANIC:'),
    untilReady: async () => {
      const api = createApiClient(project.url, withApiKey(apiKey));
      await eventually(async () => void (await api.get('/Contact?maxSize=1')));
      api.close();
    },
    verify: async () => {
      try {
        await project.annals('verify');
        return '';
      } catch (error) {
        return String(error);
      }
    },
    keepLogs: async (directory) => {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'containers.log'), await project.compose('logs'));
    },
    remove: project.remove,
  };
}

/** The settings of docs/operations/docker.md for a Postgres on a small disk. */
const postgresCommand =
  'postgres -c max_connections=200 -c max_wal_size=80MB -c min_wal_size=80MB -c checkpoint_timeout=1min -c wal_init_zero=on -c jit=off -c max_active_replication_origins=0';

const toOverride = (path: string, names: readonly string[]) => ({
  services: { postgres: { command: postgresCommand.split(' ') } },
  volumes: Object.fromEntries(
    names.map((name) => [
      name,
      { driver_opts: { type: 'none', o: 'bind', device: join(path, name) } },
    ]),
  ),
});
