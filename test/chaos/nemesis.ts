import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { RandomSource } from '../support/builders/random-source.ts';
import type { DiskImage } from '../support/disk-image.ts';
import type { StartedProduct } from '../support/harness/product.ts';
import { type ChaosCluster, services } from './chaos-cluster.ts';
import type { Fault } from './fault.ts';
import type { Fleet } from './fleet.ts';
import { type MadePoison, measurePoison } from './measure-poison.ts';
import type { Weather } from './pair-proxy.ts';
import { drawPoison } from './poison.ts';

export interface Nemesis {
  readonly faults: readonly Fault[];
  readonly poisons: readonly MadePoison[];
  /** Ends all current faults. */
  stop(): Promise<void>;
}

interface NemesisDeps {
  readonly cluster: ChaosCluster;
  readonly random: RandomSource;
  /** The longest pause of a process. */
  readonly longestPauseMs: number;
  readonly faults: ReadonlySet<FaultGroup>;
  /** The clients, which poisons must not disturb. */
  readonly fleet: Fleet;
  readonly admin: ApiClient;
}

/**
 * `api`: only kills and pauses of apis, with enough time between them that each fault is over before the next. The
 * nemesis does not make the `hole`, which follows once after all other faults (hole.ts).
 */
export const faultGroups = ['processes', 'api', 'poison', 'hole'] as const;
export type FaultGroup = (typeof faultGroups)[number];

const REST_MS = 700;
const LONG_REST_MS = 9_000;
const apis = ['api', 'api2'] as const;
const processDraws = [
  'kill',
  'kill',
  'kill',
  'pause',
  'pause',
  'weather',
  'weather',
  'restart',
  'drop',
  'disk',
];

const poisonDraws = ['poison', 'poison', 'poison', 'poison'];

async function fillDisk(disk: DiskImage | undefined, ms: number): Promise<string> {
  // Drawn anyway, so that a seed causes the same faults on every machine.
  if (disk === undefined) return 'no disk to fill';
  disk.fill('bytes');
  await sleep(ms);
  disk.releaseSpace();
  return 'disk full';
}

async function pause(product: StartedProduct, name: string, ms: number): Promise<void> {
  const pid = product.kill(name, 'SIGSTOP');
  await sleep(ms);
  // Resumes the paused process, not a process that has replaced it meanwhile.
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process was killed while it was paused.
  }
}

async function dropTable(product: StartedProduct): Promise<void> {
  const { postgres } = product.access();
  await withClient(postgres.url, async (client) => {
    await client.query("set lock_timeout = '2s'");
    await client.query('drop table if exists annals.account cascade');
  }).catch(() => undefined);
}

/** Returns each fault as often as its weight. */
function drawsOf(faults: ReadonlySet<FaultGroup>): readonly string[] {
  return [
    ...(faults.has('api') ? ['kill', 'pause'] : []),
    ...(faults.has('processes') ? processDraws : []),
    ...(faults.has('poison') ? poisonDraws : []),
  ];
}

/** Makes one fault after the other, all drawn from the seed, until it is stopped. */
export function startNemesis(deps: NemesisDeps): Nemesis {
  const { cluster, random, longestPauseMs } = deps;
  const { product, pairs, disk } = cluster;
  const onlyApis = deps.faults.has('api');
  const faults: Fault[] = [];
  const poisons: MadePoison[] = [];
  let isStopping = false;

  const between = (least: number, most: number): number => least + random.int(most - least);

  const kinds: Readonly<Record<string, () => Promise<string>>> = {
    async kill() {
      const name = random.pick(onlyApis ? apis : services);
      product.kill(name);
      return `kill -9 ${name}`;
    },
    async pause() {
      const name = random.pick(onlyApis ? apis : [...services, 'kafka', 'postgres']);
      const isService = services.some((service) => service === name);
      const ms = isService ? between(1_200, longestPauseMs) : between(500, 2_500);
      await pause(product, name, ms);
      return `pause ${name} ${ms} ms`;
    },
    async restart() {
      const name = random.pick(['kafka', 'postgres']);
      product.kill(name);
      return `kill -9 ${name}`;
    },
    async weather() {
      const from = random.pick(services);
      const some = pairs.filter((pair) => pair.from === from && random.chance(0.6));
      const weather: Weather = random.pick([
        { kind: 'refuse' },
        { kind: 'blackhole' },
        { kind: 'slow', ms: between(20, 300) },
      ]);
      for (const { proxy } of some) proxy.set(weather);
      await sleep(between(500, 3_000));
      for (const { proxy } of some) {
        proxy.set({ kind: 'fine' });
        if (weather.kind === 'blackhole') proxy.reset();
      }
      return `${weather.kind} ${from} → ${some.map(({ to }) => to).join(', ')}`;
    },
    async drop() {
      await dropTable(product);
      return 'drop table account';
    },
    disk: async () => fillDisk(disk, between(2_000, 6_000)),
    async poison() {
      const made = await measurePoison(deps, poisons.length, drawPoison(random));
      poisons.push(made);
      return made.fault.what;
    },
  };
  const draws = drawsOf(deps.faults);

  async function run(): Promise<void> {
    while (!isStopping && draws.length > 0) {
      const at = Date.now();
      const what = await (kinds[random.pick(draws)]?.() ?? Promise.resolve('nothing')).catch(
        (error: unknown) => `failed: ${String(error)}`,
      );
      faults.push({ what, at, ms: Date.now() - at });
      await sleep(onlyApis ? LONG_REST_MS : between(REST_MS / 2, REST_MS * 2));
    }
  }

  const running = run();
  return {
    faults,
    poisons,
    async stop() {
      isStopping = true;
      await running;
      for (const { proxy } of pairs) proxy.set({ kind: 'fine' });
    },
  };
}
