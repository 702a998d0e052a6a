/**
 * A blue-green rebuild: a new schema is filled while the live one stays in use and up to date, and then replaces it in
 * one transaction (switch-schema.ts). Nothing is written to Kafka, so a rebuild cannot fire a webhook.
 *
 *   lock ─▶ tables without indexes ─▶ fill ─▶ indexes, statistics ─▶ fill the rest ─▶ enough rows? ─▶ switch
 *       ─▶ drop former schemas past the grace period
 */
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { findDamage, ReadModelDamaged } from '../../../shared/db/find-damage.ts';
import { findTables } from '../../../shared/db/find-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import {
  liveSchema,
  quoteName,
  rebuildLock,
  rebuildSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import { ensurePositions } from '../consume/store-batch.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { type FillSource, fillInThreads, shareOut } from './fill-in-threads.ts';
import { fillSchema, type Share } from './fill-schema.ts';
import { countRows, type FewerRows, findFewerRows, ReadModelShrinks } from './find-fewer-rows.ts';
import { formerSchemas, reviveSchema, switchSchema } from './switch-schema.ts';

export interface RebuildDeps {
  readonly kafka: KafkaConnection;
  readonly follower: DirectoryFollower;
  /** The topics, and the addresses and keys that threads need. */
  readonly source: FillSource;
  /** Confirms a switch to tables with far fewer rows, or throws. Without it, the switch is rejected. */
  readonly acceptFewerRows?: (tables: readonly FewerRows[]) => Promise<void>;
  /** Aborts a running rebuild. */
  readonly signal: AbortSignal;
  /** Opens a separate connection to Postgres, which the caller closes. */
  readonly connect: () => Promise<Client>;
  /** `done`: log entries in the new schema. `total`: log entries at the start. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
  readonly log: Logger;
}

export interface RebuildResult {
  readonly entries: number;
  /** The name of the former read model, if there was one. */
  readonly former: string | undefined;
}

/** Thrown if another process is already rebuilding. */
export class RebuildRunning extends Error {
  override readonly name = 'RebuildRunning';
}

const GRACE_MS = 24 * 3_600_000;

/** Rebuilds the read model from the log, or resumes an interrupted rebuild. */
export function rebuildReadModel(deps: RebuildDeps): Promise<RebuildResult> {
  return exclusively(deps, 'or fail', (client) => fillAndSwitch(deps, client));
}

/**
 * Rebuilds a damaged read model for a projector, which cannot work without it. Waits for a running rebuild, which may
 * already have repaired it.
 */
export async function repairReadModel(deps: RebuildDeps): Promise<void> {
  await exclusively(deps, 'or wait', async (client) => {
    const damage = await findDamage(client, liveSchema, deps.follower.directory.entities());
    if (damage.length === 0) return;
    deps.log.warn('the read model is being rebuilt from the log');
    const { entries } = await fillAndSwitch(deps, client);
    deps.log.info({ entries }, 'the read model is rebuilt');
  });
}

/**
 * Brings the former read model to the end of the log, and makes it live again. Returns undefined if no former read
 * model exists.
 */
export function rollBackReadModel(deps: RebuildDeps): Promise<RebuildResult | undefined> {
  return exclusively(deps, 'or fail', async (client) => {
    const [newest] = await formerSchemas(client);
    if (newest === undefined) return undefined;
    await reviveSchema(client, newest);
    return fillAndSwitch(deps, client);
  });
}

/** Drops former read models, and returns their names. */
export async function dropFormerReadModels(
  client: Client,
  isTooOld: (schema: string) => boolean,
): Promise<readonly string[]> {
  const old = (await formerSchemas(client)).filter(isTooOld);
  for (const schema of old) await client.query(`drop schema ${quoteName(schema)} cascade`);
  return old;
}

function exclusively<Answer>(
  { connect }: RebuildDeps,
  mode: 'or fail' | 'or wait',
  work: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  // The lock is released when the connection ends.
  return withConnection(connect, async (client) => {
    await client.query('set synchronous_commit = off');
    // Postgres sorts index entries in memory.
    await client.query("set maintenance_work_mem = '256MB'");
    if (mode === 'or wait') await client.query('select pg_advisory_lock($1)', [rebuildLock]);
    else if (!(await tryLock(client, rebuildLock))) {
      throw new RebuildRunning('Another rebuild is running.');
    }
    return work(client);
  });
}

async function fillAndSwitch(deps: RebuildDeps, client: Client): Promise<RebuildResult> {
  const { connect, follower } = deps;
  await follower.catchUp();
  const models = follower.directory.entities();
  const { done, fill } = await fillIndexed(deps, client, { models, indexed: new Set() });
  for (const name of await findTables(client, rebuildSchema)) {
    await client.query(`analyze ${rebuildSchema}.${quoteName(name)}`);
  }
  const rows = await countRows(client, liveSchema, models);
  await fill();
  await requireRows(deps, findFewerRows(rows, await countRows(client, rebuildSchema, models)));
  return withConnection(connect, async (switcher) => {
    const former = await switchSchema(switcher, { catchUp: fill, now: new Date() });
    await dropFormerReadModels(switcher, isPastGrace);
    return { entries: done(), former };
  });
}

interface Wanted {
  readonly models: readonly EntityModel[];
  /** Entity types whose indexes exist before their rows. */
  readonly indexed: ReadonlySet<string>;
}

/**
 * Fills the tables and then creates their indexes, which takes less time than the other way round. If a value is too
 * large for an index, the tables are filled once more with the indexes of that entity type in place, so that only the
 * record with the value is quarantined.
 */
async function fillIndexed(deps: RebuildDeps, client: Client, wanted: Wanted) {
  const { follower, kafka, log, onProgress, signal, source } = deps;
  const { models, indexed } = wanted;
  const topicPartitions = [
    { topic: source.topics.directory, partitions: 1 },
    { topic: source.topics.records, partitions: await kafka.partitionsOf(source.topics.records) },
  ];
  const unfit = await createOrResume(client, wanted);
  await ensurePositions(client, rebuildSchema, topicPartitions);
  const total = await countLog(deps);
  let done = await entriesTaken(client);
  onProgress({ done, total });
  const report = (messages: number) => {
    done += messages;
    onProgress({ done, total: Math.max(total, done) });
  };
  const model = follower.directory.entity;
  const fill = () =>
    fillSchema({ client, kafka, log, schema: rebuildSchema, model, onProgress: report });
  await fillInThreads({ source, schema: rebuildSchema }, await shareUnread(deps, client), {
    onProgress: report,
    signal,
  });
  await fill();
  const after = await ensureTables(client, { schema: rebuildSchema, models, isIndexed: true });
  const refused = [...after].filter(([name]) => !unfit.has(name) && !indexed.has(name));
  if (refused.length === 0) return { done: () => done, fill };
  log.warn(
    { refused: Object.fromEntries(refused) },
    'Postgres rejected an index; filling the tables again',
  );
  await client.query(`drop schema ${rebuildSchema} cascade`);
  const names = refused.map(([name]) => name);
  return fillIndexed(deps, client, { models, indexed: new Set([...indexed, ...names]) });
}

/** Throws ReadModelShrinks unless the caller accepts fewer rows. */
async function requireRows(
  { acceptFewerRows }: RebuildDeps,
  fewer: readonly FewerRows[],
): Promise<void> {
  if (fewer.length === 0) return;
  if (acceptFewerRows === undefined) throw new ReadModelShrinks(fewer);
  await acceptFewerRows(fewer);
}

async function shareUnread({ kafka }: RebuildDeps, client: Client): Promise<readonly Share[]> {
  const positions = await loadPositions(client, rebuildSchema);
  const unread = positions.map(async ({ topic, partition, offset }) => ({
    topic,
    partition,
    entries: Number((await endOffset(kafka, topic, partition)) - offset),
  }));
  return shareOut(await Promise.all(unread));
}

/**
 * Resumes an earlier attempt, unless tables are missing from its schema. Returns the entity types whose definition
 * Postgres rejects.
 */
async function createOrResume(
  client: Client,
  filled: Wanted,
): Promise<ReadonlyMap<string, string>> {
  const wanted = { schema: rebuildSchema, isIndexed: false, ...filled };
  try {
    return await ensureTables(client, wanted);
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
    await client.query(`drop schema ${rebuildSchema} cascade`);
    return ensureTables(client, wanted);
  }
}

async function entriesTaken(client: Client): Promise<number> {
  const { rows } = await client.query<{ taken: string }>(
    `select coalesce(sum(next_offset), 0) as taken from ${rebuildSchema}.positions`,
  );
  return Number(rows[0]?.taken);
}

/** Counts the current entries of the log. */
async function countLog({ kafka, source: { topics } }: RebuildDeps): Promise<number> {
  const ends = await Promise.all([
    readEnds(kafka, topics.directory, 1),
    readEnds(kafka, topics.records),
  ]);
  return ends.flat().reduce((sum, { offset }) => sum + Number(offset), 0);
}

/** True once the grace period of a former schema is over. Its name contains the time of the switch. */
function isPastGrace(schema: string): boolean {
  const [, year, month, day, hour, minute, second] =
    /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d*$/.exec(schema) ?? [];
  const retiredAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Date.now() - retiredAt > GRACE_MS;
}
