import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { RandomSource } from '../support/builders/random-source.ts';
import { eventually } from '../support/eventually.ts';
import type { StartedProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { compactTopic } from '../support/log/compact-topic.ts';
import { flipBit } from '../support/log/damage-segment.ts';
import { deleteEntries } from '../support/log/delete-entries.ts';

const holeKinds = ['half', 'all', 'bit', 'compaction'] as const;

/** A lost or damaged part of the log. */
interface HoleDraw {
  readonly kind: (typeof holeKinds)[number];
  readonly partition: number;
}

/** The hole with its effects, for the report. */
export interface Hole extends HoleDraw {
  /** Time until writes were rejected with the reason; undefined if writes continue. */
  readonly refusedAfterMs: number | undefined;
  readonly namedAs: string;
  readonly repairMs: number;
  /** Entries that the repair could not keep, each with the reason. */
  readonly lost: readonly string[];
  readonly violations: readonly string[];
}

interface HoleDeps {
  readonly product: StartedProduct;
  readonly api: ApiClient;
  readonly topic: string;
  readonly topicPrefix: string;
}

export function drawHole(random: RandomSource, partitions: number): HoleDraw {
  return { kind: random.pick(holeKinds), partition: random.int(partitions) };
}

/**
 * Makes a hole in the records log while clients write and read, waits until the product reports it, and
 * repairs it as documented: Postgres must keep every event, and the new log must contain them.
 */
export async function makeHole(deps: HoleDeps, draw: HoleDraw): Promise<Hole> {
  const { product, topic } = deps;
  const { kind, partition } = draw;
  const at = Date.now();
  await dig(deps, draw);
  const place = kind === 'compaction' ? `${topic}/` : `${topic}/${partition}`;
  const refusedAfterMs =
    kind === 'bit' ? undefined : (await untilRefused(deps, { kind, place })) - at;
  const namedAs = await expectNamed(deps, kind === 'bit' ? `damaged on disk at ${place}` : place);
  const before = await readHistory(product);
  const repairedAt = Date.now();
  const ofPartition = kind === 'compaction' ? [] : ['--partition', String(partition)];
  const { code, stdout, stderr } = await annals(deps, [
    ...['rebuild-log', '--replace', ...ofPartition, '--yes', '--json'],
  ]);
  if (code !== 0) throw new Error(`annals rebuild-log failed: ${stdout}${stderr}`);
  const { lost } = JSON.parse(stdout) as { lost: readonly string[] };
  const repairMs = Date.now() - repairedAt;
  const after = await readHistory(product);
  const dropped = [...before].filter(([key, digest]) => after.get(key) !== digest);
  const violations = dropped.map(([key]) => `the repair lost or changed event ${key}`);
  return { ...draw, refusedAfterMs, namedAs, repairMs, lost, violations };
}

async function dig({ product, topic }: HoleDeps, { kind, partition }: HoleDraw) {
  switch (kind) {
    case 'half':
    case 'all':
      return deleteEntries(addressOf(product), topic, {
        partitions: [partition],
        share: kind === 'all' ? 1 : 0.5,
      });
    case 'bit':
      // Skips the first batch, which is the fence of the first owner.
      flipBit(product.dataDir, { topic, partition, batch: 1 });
      return undefined;
    case 'compaction':
      return compactTopic(addressOf(product), topic, silent);
  }
}

const silent = pino({ level: 'silent' });
const addressOf = (product: StartedProduct) => toKafkaAddress(product.access().kafka, 'chaos');

/** Time until Kafka has rolled the segments that it compacts. */
const ROLLING_MS = 3_000;
const patience = { timeoutMs: 120_000, intervalMs: 200 };
const skip = { 'X-Skip-Duplicate-Check': 'true' };

/** Returns the time of the first write that is rejected with the place of the hole. */
async function untilRefused(
  { api, product, topic }: HoleDeps,
  { kind, place }: { readonly kind: HoleDraw['kind']; readonly place: string },
): Promise<number> {
  return eventually(async () => {
    // The projector resets the setting each minute, perhaps before Kafka has compacted anything.
    if (kind === 'compaction') {
      await compactTopic(addressOf(product), topic, silent);
      await sleep(ROLLING_MS);
    }
    const { status, text } = await api.post('/Account', { name: 'Refused' }, skip);
    expect({ status, text }).toEqual({ status: 503, text: expect.stringContaining(place) });
    return Date.now();
  }, patience);
}

/** Checks that both commands name the place and the remedy. */
async function expectNamed(deps: HoleDeps, place: string): Promise<string> {
  const found: string[] = [];
  for (const line of ['doctor', 'verify']) {
    const { code, stdout, stderr } = await annals(deps, [line]);
    const output = stdout + stderr;
    const isNamed =
      code !== 0 && output.includes(place) && output.includes('rebuild-log --replace');
    if (!isNamed) throw new Error(`annals ${line} does not name ${place}: ${code} ${output}`);
    found.push(stderr.trim());
  }
  return found.at(-1) ?? '';
}

async function annals({ product, topicPrefix }: HoleDeps, line: readonly string[]) {
  return runCli([...line, '--data-dir', product.dataDir], { ANNALS_TOPIC_PREFIX: topicPrefix });
}

/** Returns a digest of each event, by record and version. */
async function readHistory(product: StartedProduct): Promise<ReadonlyMap<string, string>> {
  return withClient(product.access().postgres.url, async (client) => {
    const { rows } = await client.query<{ key: string; digest: string }>(
      `select entity_type || '/' || record_id || '/' || version as key, md5(event) as digest
       from annals.record_history`,
    );
    return new Map(rows.map(({ key, digest }) => [key, digest]));
  });
}
