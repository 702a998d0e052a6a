import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import { type DiskImage, findDiskObstacle, mountDiskImage } from '../support/disk-image.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { type PairProxy, startPairProxy } from './pair-proxy.ts';

export const services = [
  'api',
  'api2',
  'projector',
  'projector2',
  'dispatcher',
  'dispatcher2',
] as const;
type ServiceInstance = (typeof services)[number];

export interface ChaosCluster {
  readonly product: StartedProduct;
  /** The connections from a process to a port of another one. */
  readonly pairs: readonly {
    readonly from: ServiceInstance;
    readonly to: string;
    readonly proxy: PairProxy;
  }[];
  /** Holds all data; undefined if the machine cannot mount images. */
  readonly disk: DiskImage | undefined;
  close(): Promise<void>;
}

const DISK_MB = 1_024;
const hook = join(import.meta.dirname, 'service-hook.mjs');

/**
 * Starts two instances of each service under `npm start`, with a proxy between every process and each port
 * that it uses.
 */
export async function startChaosCluster(env: NodeJS.ProcessEnv): Promise<ChaosCluster> {
  const obstacle = findDiskObstacle();
  if (obstacle !== undefined)
    process.stdout.write(`The disk never fills up in this run. ${obstacle}\n`);
  const disk = obstacle === undefined ? mountDiskImage({ megabytes: DISK_MB }) : undefined;
  const dataDir = disk === undefined ? makeTestDirectory() : join(disk.path, 'annals');
  mkdirSync(dataDir, { recursive: true });
  const ports = await choosePorts(
    [
      'kafka',
      'kafkaController',
      'postgres',
      'frontHealth',
      'apiHttp',
      'api2Http',
      ...services.map((name) => `${name}Health` as const),
    ] as const,
    {},
  );
  // The start uses stored ports, so they are known before any process runs.
  writeFileSync(join(dataDir, 'ports.json'), JSON.stringify(ports));
  const pairs = await openPairs(ports);
  const proxies: Record<string, Record<string, number>> = {};
  for (const { from, target, proxy } of pairs) {
    const ofService = proxies[ports[`${from}Health`]] ?? {};
    proxies[ports[`${from}Health`]] = { ...ofService, [target]: proxy.port };
  }
  const proxiesFile = join(dataDir, 'proxies.json');
  writeFileSync(proxiesFile, JSON.stringify(proxies));
  const product = await startProduct({
    dataDir,
    infrastructure: 'own',
    env: {
      // The wide type keeps its plain name.
      API_CUSTOM_PREFIX: 'taken',
      ANNALS_API_INSTANCES: '2',
      ANNALS_PROJECTOR_INSTANCES: '2',
      ANNALS_DISPATCHER_INSTANCES: '2',
      CHAOS_PROXIES: proxiesFile,
      NODE_OPTIONS: `--import ${hook}`,
      ...env,
    },
  }).catch((error: unknown) => {
    disk?.remove();
    throw error;
  });
  return {
    product,
    pairs,
    disk,
    async close() {
      await product.remove();
      for (const { proxy } of pairs) proxy.close();
      if (disk === undefined) rmSync(dataDir, { recursive: true, force: true });
      else await eventually(() => disk.remove());
    },
  };
}

async function openPairs(ports: Readonly<Record<string, number>>) {
  const pairs: {
    readonly from: ServiceInstance;
    readonly to: string;
    readonly target: number;
    readonly proxy: PairProxy;
  }[] = [];
  for (const from of services) {
    const others = from.startsWith('dispatcher') ? ['kafka'] : ['kafka', 'postgres'];
    const apis = ['api', 'api2'].filter((api) => api !== from && !from.startsWith('projector'));
    for (const to of [...others, ...apis.map((api) => `${api}Health`)]) {
      const target = ports[to] ?? 0;
      const { port } = await choosePorts(['port'], {});
      pairs.push({ from, to, target, proxy: await startPairProxy(port, target) });
    }
  }
  return pairs;
}
