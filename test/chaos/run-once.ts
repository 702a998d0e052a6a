import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { VerifyResult } from '../../infra/cli/verify/verification.ts';
import type { LoggedEvent } from '../../shared/events/log-entry.ts';
import { decodeWebhookBatch } from '../../shared/events/webhook-batch-codec.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { type ChaosCluster, services, startChaosCluster } from './chaos-cluster.ts';
import { checkHistory, type Operation } from './check-history.ts';
import type { Fault } from './fault.ts';
import { Fleet } from './fleet.ts';
import { drawHole, type Hole, makeHole } from './hole.ts';
import type { MadePoison } from './measure-poison.ts';
import { type FaultGroup, startNemesis } from './nemesis.ts';
import { type ExpectedQuarantine, expectQuarantine, preparePoisons } from './poison.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly seconds: number;
  /**
   * The run continues until the clients have completed this many operations, however slow the machine is. Defaults to
   * 0.
   */
  readonly leastOperations?: number;
  readonly clients: number;
  readonly longestPauseMs: number;
  /** With `api` alone, the reported gaps are those of the apis' faults. */
  readonly faults: ReadonlySet<FaultGroup>;
  /** A defect that is built into the writer; the run must then find a violation. */
  readonly sabotage?: string;
}

/** The longest time without an acknowledged write in any partition within 6 s of a fault. */
export interface Gap {
  readonly fault: Fault;
  readonly partition: number;
  readonly ms: number;
  /** Milliseconds after the fault. */
  readonly beganMs: number;
}

export interface ChaosReport {
  readonly seed: number;
  readonly operations: number;
  readonly faults: readonly Fault[];
  /** One gap for each kill and pause of an api. */
  readonly gaps: readonly Gap[];
  /** Number of acknowledged writes. */
  readonly acknowledged: number;
  readonly poisons: readonly MadePoison[];
  readonly quarantined: number;
  readonly hole: Hole | undefined;
  /** Empty if none were found. */
  readonly violations: readonly string[];
  /** The directory with the history, visualization and topic dump of a violation. */
  readonly kept: string | undefined;
}

const PARTITIONS = 4;
const isApiFault = /^(kill -9|pause) api/;
const topics = topicNames('chaos');
const patience = { timeoutMs: 60_000, intervalMs: 200 };
const kinds = { Created: '/create', Updated: '/update', Deleted: '/delete' } as const;

/** Performs one run: a fleet of clients, faults drawn from the seed, and then all proofs. */
export async function runChaosOnce(options: ChaosOptions): Promise<ChaosReport> {
  const random = createRandomSource(options.seed + 1);
  const subscriber = await startSubscriber();
  const cluster = await startChaosCluster({
    ANNALS_TOPIC_PREFIX: 'chaos',
    WEBHOOK_QUEUE_INTERVAL: '1s',
    WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
    WEBHOOK_QUEUE_PORTION_SIZE: '0',
    WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
    WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    ...(options.faults.has('poison') ? { CHAOS_POISON: 'yes' } : {}),
    ...(options.sabotage === undefined ? {} : { CHAOS_SABOTAGE: options.sabotage }),
  });
  const { apiKey, kafka, admin: administrator, postgres } = cluster.product.access();
  const api = createApiClient(cluster.product.url, withApiKey(apiKey));
  const admin = api.as(withPassword(administrator));
  const log = createLogReader(kafka);
  try {
    const webhookIds = new Map<string, string>();
    for (const [type, path] of Object.entries(kinds)) {
      const event = `Account.${path.slice(1)}`;
      const { id } = await registerWebhook(api, { event, url: subscriber.url(path) });
      webhookIds.set(type, id);
    }
    if (options.faults.has('poison')) await preparePoisons(admin, postgres.url);
    const fleet = new Fleet({ api, random, clients: options.clients, partitions: PARTITIONS });
    const nemesis = startNemesis({
      cluster,
      // A separate source, because the draws of clients depend on the speed of responses.
      random: createRandomSource(options.seed),
      longestPauseMs: options.longestPauseMs,
      faults: options.faults,
      fleet,
      admin,
    });
    await sleep(options.seconds * 1000);
    while (fleet.history.length < (options.leastOperations ?? 0)) await sleep(100);
    await nemesis.stop();
    await untilWhole(cluster);
    const hole = options.faults.has('hole') ? await holeIn(cluster, api, options) : undefined;
    await untilWhole(cluster);
    if (hole !== undefined) await untilAcknowledged(fleet);
    await fleet.stop();
    const { poisons } = nemesis;
    const proofs = { fleet, log, subscriber, webhookIds, cluster, poisons, hole };
    const { violations, kept, quarantined } = await prove(options, proofs);
    return {
      seed: options.seed,
      operations: fleet.history.length,
      acknowledged: fleet.acknowledged.length,
      faults: nemesis.faults,
      poisons,
      quarantined,
      hole,
      gaps: measureGaps(fleet, nemesis.faults),
      violations,
      kept,
    };
  } finally {
    await log.close();
    api.close();
    await cluster.close();
    await subscriber.close();
  }
}

function holeIn({ product }: ChaosCluster, api: ApiClient, { seed }: ChaosOptions): Promise<Hole> {
  // Independent of how many draws the nemesis makes.
  const draw = drawHole(createRandomSource(seed + 2), PARTITIONS);
  const place = { topic: topics.records, topicPrefix: 'chaos' };
  return makeHole({ product, api, ...place }, draw);
}

/** Waits until every partition accepts writes again. */
async function untilAcknowledged({ acknowledged }: Fleet): Promise<void> {
  const since = Date.now();
  await eventually(() => {
    const late = acknowledged.filter(({ at }) => at > since).map(({ partition }) => partition);
    expect(new Set(late).size).toBe(PARTITIONS);
  }, patience);
}

/** Waits until everything works again after the last fault; otherwise the error names the problem. */
async function untilWhole({ product }: ChaosCluster): Promise<void> {
  const ports: Record<string, number> = JSON.parse(
    readFileSync(join(product.dataDir, 'ports.json'), 'utf8'),
  );
  for (const name of [...services, 'front']) {
    await product.waitUntilReady(name).catch(async (cause: unknown) => {
      const url = `http://127.0.0.1:${ports[`${name}Health`]}/readyz`;
      const answer = await fetch(url)
        .then((response) => response.text())
        .catch(String);
      const logs = join(tmpdir(), 'annals-chaos', 'logs');
      rmSync(logs, { recursive: true, force: true });
      cpSync(join(product.dataDir, 'logs'), logs, { recursive: true });
      for (const part of ['kafka', 'postgres']) {
        cpSync(join(product.dataDir, part, `${part}.log`), join(logs, `${part}.log`));
      }
      writeFileSync(join(logs, 'supervisor.log'), product.output());
      throw new Error(`${name} does not recover: ${answer}; logs are in ${logs}`, { cause });
    });
  }
}

interface Proofs {
  readonly fleet: Fleet;
  readonly log: LogReader;
  readonly subscriber: Subscriber;
  readonly webhookIds: ReadonlyMap<string, string>;
  readonly cluster: ChaosCluster;
  readonly poisons: readonly MadePoison[];
  readonly hole: Hole | undefined;
}

async function prove({ seed }: ChaosOptions, proofs: Proofs) {
  const { fleet, log, poisons, hole } = proofs;
  const directory = join(tmpdir(), 'annals-chaos', `seed-${seed}`);
  mkdirSync(directory, { recursive: true });
  const violations = [
    ...fleet.complaints,
    ...poisons.flatMap(({ complaints }) => complaints),
    ...poisons.flatMap(findLongWaits),
    ...(hole?.violations ?? []),
  ];
  const verdict = await checkHistory(fleet.history, join(directory, 'violation.html'));
  if (!verdict.ok) {
    const history = fleet.history.filter(({ record }) => record === verdict.record);
    writeFileSync(join(directory, 'history.json'), JSON.stringify(history, undefined, 1));
    violations.push(`record ${verdict.record} is not linearizable`);
  }
  const all = await log.events(topics.records);
  const quarantine = expectQuarantine(all, await log.events(topics.directory));
  const events = all.filter(({ entityType }) => entityType === 'Account');
  violations.push(...missingInLog(fleet.history, events), ...missingPoisons(poisons, all));
  violations.push(...(await tried(() => proveReadModel(proofs, quarantine))));
  violations.push(...(await tried(() => proveEnqueued(proofs, events))));
  violations.push(...(await tried(async () => proveDelivered(proofs, events))));
  violations.push(...(await tried(() => proveAccounts(proofs))));
  const quarantined = quarantine.records.size;
  if (violations.length === 0) return { violations, kept: undefined, quarantined };
  cpSync(join(proofs.cluster.product.dataDir, 'logs'), join(directory, 'logs'), {
    recursive: true,
  });
  writeFileSync(join(directory, 'hole.json'), JSON.stringify(hole, undefined, 1));
  writeFileSync(join(directory, 'violations.json'), JSON.stringify(violations, undefined, 1));
  const dump = JSON.stringify(await log.folded(topics.records), undefined, 1);
  writeFileSync(join(directory, 'records-topic.json'), dump);
  return { violations, kept: directory, quarantined };
}

/**
 * Generous, for machines with other load: the goal is a second, and without a quarantine all requests would
 * wait forever.
 */
const LONGEST_WAIT_MS = 5_000;

function findLongWaits({ fault, isUndisturbed, reads, writes }: MadePoison): readonly string[] {
  if (!isUndisturbed) return [];
  return Object.entries({ reads, writes }).flatMap(([what, { count, longest }]) =>
    count > 0 && longest <= LONGEST_WAIT_MS
      ? []
      : [`${fault.what}: ${count} ${what} of other clients, the longest waited ${longest} ms`],
  );
}

/** Checks that each poison that was rejected as unstorable is in the log once. */
function missingPoisons(
  poisons: readonly MadePoison[],
  events: readonly LoggedEvent[],
): readonly string[] {
  const inLog = events.map(({ commandId }) => commandId);
  return poisons.flatMap(({ commandId, fault }) => {
    const found = inLog.filter((one) => one === commandId).length;
    return commandId === undefined || found === 1
      ? []
      : [`${fault.what}: ${found} times in the log`];
  });
}

/** Checks that every acknowledged write is in the log once, under its key. */
function missingInLog(
  history: readonly Operation[],
  events: readonly LoggedEvent[],
): readonly string[] {
  const byKey = Map.groupBy(events, ({ commandId }) => commandId ?? '');
  const writes = history.filter(({ kind, outcome }) => kind !== 'read' && outcome !== 'unknown');
  return writes.flatMap(({ kind, value, record, outcome }) => {
    const found = byKey.get(kind === 'create' ? `${value}-create` : value)?.length ?? 0;
    const expected = outcome === 'ok' ? 1 : 0;
    return found === expected ? [] : [`${kind} ${value} of ${record}: ${found} times in the log`];
  });
}

/** Waits until a proof holds. If it never does, its last error is a violation. */
async function tried(proof: () => Promise<void>): Promise<readonly string[]> {
  try {
    await eventually(proof, patience);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Checks that `annals verify` finds no difference, and reports exactly the poisoned records. */
async function proveReadModel({ cluster }: Proofs, expected: ExpectedQuarantine): Promise<void> {
  const line = ['verify', '--json', '--data-dir', cluster.product.dataDir];
  const { stdout, stderr } = await runCli(line, { ANNALS_TOPIC_PREFIX: 'chaos' });
  expect(stdout, stderr).not.toBe('');
  const { list, quarantined = [], unfit = [] } = JSON.parse(stdout) as VerifyResult;
  expect(list).toEqual([]);
  const records = quarantined.map(({ entityType, id }) => `${entityType}/${id}`);
  expect(new Set(records), 'quarantined').toEqual(expected.records);
  const entityTypes = unfit.map(({ entityType }) => entityType);
  expect(new Set(entityTypes), 'unfit').toEqual(expected.entityTypes);
}

async function proveAccounts({ cluster }: Proofs): Promise<void> {
  const { kafka } = cluster.product.access();
  await proveWebhookLedgers({ kafka, topicPrefix: 'chaos' });
}

async function proveEnqueued({ log, webhookIds }: Proofs, events: readonly LoggedEvent[]) {
  const batches = (await log.messages(topics.webhookBatches))
    .flat()
    .map(({ value }) => decodeWebhookBatch(value));
  for (const [type, webhookId] of webhookIds) {
    const enqueued = batches
      .filter((batch) => batch.webhookId === webhookId)
      .flatMap((batch) => batch.events.map(({ eventId }) => eventId));
    const matching = events.filter((event) => event.type === type);
    const missing = matching
      .filter(({ eventId }) => !enqueued.includes(eventId))
      .map(({ recordId, token, sequence }) => ({ recordId, token, sequence }));
    expect(enqueued.toSorted(), `enqueued for ${type}, without ${JSON.stringify(missing)}`).toEqual(
      matching.map(({ eventId }) => eventId).toSorted(),
    );
  }
}

function proveDelivered({ subscriber }: Proofs, events: readonly LoggedEvent[]): void {
  for (const [type, path] of Object.entries(kinds)) {
    const records = events.filter((event) => event.type === type).map(({ recordId }) => recordId);
    const received = new Set(subscriber.events(path).map(({ id }) => String(id)));
    expect(received, `delivered for ${type}`).toEqual(new Set(records));
  }
}

const WINDOW_MS = 6_000;

/** Only faults of apis count: after other faults, partitions wait for something without a replacement. */
function measureGaps({ acknowledged }: Fleet, faults: readonly Fault[]): readonly Gap[] {
  return faults
    .filter(({ what }) => isApiFault.test(what))
    .map((fault) => {
      const gaps = Array.from({ length: PARTITIONS }, (_, partition) =>
        longestGap(acknowledged, partition, fault.at),
      );
      return { fault, ...gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most)) };
    });
}

function longestGap(acknowledged: Fleet['acknowledged'], partition: number, from: number) {
  const times = acknowledged
    .filter(
      (ack) => ack.partition === partition && ack.at >= from - 200 && ack.at <= from + WINDOW_MS,
    )
    .map(({ at }) => at);
  return times
    .slice(1)
    .map((at, index) => ({
      partition,
      ms: at - (times[index] ?? at),
      beganMs: (times[index] ?? at) - from,
    }))
    .reduce((most, gap) => (gap.ms > most.ms ? gap : most), { partition, ms: 0, beganMs: 0 });
}
