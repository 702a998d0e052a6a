/**
 * read ──▶ fold ──▶ tables fit? ──▶ one statement ──▶ read
 *   ▲                                  │
 *   └── load positions ◀── position moved by another projector, or a failure (wait, retry)
 *
 * One reader serves all partitions of this projector, so that all available entries are stored in the same transaction.
 * If a batch did not reach the end of the log, the next batch is read and folded while this one is stored. Positions
 * move in the transaction of the rows, so unstored entries are read again after a crash. Several projectors share the
 * partitions: if a projector continues with a partition that now belongs to another, the compare-and-set of its
 * position fails, and it loads the positions again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { ReadModelDamaged } from '../../../shared/db/find-damage.ts';
import { outageOf, sqlStateOf } from '../../../shared/db/outage-of.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { obstacleChannel } from '../../../shared/db/projection-watch.ts';
import { reasonOf } from '../../../shared/db/refused-by-tables.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import {
  liveRead,
  type ReadBefore,
  readPartitionsBefore,
} from '../../../shared/kafka/read-partitions.ts';
import type { ProjectorContext } from '../context.ts';
import { refuseDamage } from '../tables/ensure-tables.ts';
import { positionsMoved } from './batch-statement.ts';
import { type FoldedPartitions, foldPartitions } from './fold-partitions.ts';
import { PartsWatch } from './parts-watch.ts';
import { countQuarantined, markForRetry, retryQuarantined } from './quarantine-records.ts';
import { ensurePositions, storeBatch } from './store-batch.ts';
import { UnsoundTables } from './store-carefully.ts';

const RETRY_AFTER_MS = 250;
/** An obstacle remains until an operator acts or a new version is installed. */
const RETRY_OBSTACLE_AFTER_MS = 1_000;
const MAX_OBSTACLE = 2_000;
/** Limits the wait for reporting an obstacle, because Postgres itself may hang. */
const REPORTED_WITHIN_MS = 500;
const INSPECT_EVERY_MS = 2_000;

/** The assigned partitions, as `topic/partition`. */
type Assigned = ReadonlySet<string>;

interface ReadBatch extends ReadBefore {
  readonly folded: FoldedPartitions;
}

export class Projector {
  readonly #context: ProjectorContext;
  readonly #kafka: KafkaConnection;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #client: Client | undefined;
  #positions: readonly ProjectedPosition[] | undefined;
  #assigned: Assigned | undefined;
  #onAssigned: () => void = () => undefined;
  /** Valid only if `from` is still the projector's position. */
  #ahead:
    | { readonly from: readonly ProjectedPosition[]; readonly batch: Promise<ReadBatch> }
    | undefined;
  /** The directory revision for which the tables were last altered. */
  #fittedRevision = -1;
  #unfit: ReadonlyMap<string, string> = new Map();
  #inspectedAt = 0;
  /** The number of quarantined records, counting all partitions. */
  #quarantined = 0;
  /** Why the projector cannot continue; undefined while it can. */
  #obstacle: string | undefined;
  /** The last known positions. Kept while the positions are being loaded again. */
  #known: readonly ProjectedPosition[] = [];
  /** Set if a partition cannot be read. The others are still projected. */
  #damage: BatchDamaged | undefined;
  readonly #parts = new PartsWatch();
  #hasWorked = false;
  #closed = false;

  constructor(context: ProjectorContext) {
    this.#context = context;
    this.#kafka = createKafkaConnection(context.kafka, context.log);
    this.#running = this.#run();
  }

  /** Replaces the projector's assignment with these partitions. */
  assign(assigned: Assigned): void {
    const known = this.#assigned;
    if (known?.size === assigned.size && known.isSubsetOf(assigned)) return;
    this.#assigned = assigned;
    this.#positions = undefined;
    this.#onAssigned();
  }

  /** The projector's progress in its partitions. */
  claims(): ReadonlyMap<string, bigint> {
    return new Map((this.#positions ?? []).map((position) => [nameOf(position), position.offset]));
  }

  /**
   * Each check is true if the assignment is known (even if empty), no dependency fails or hangs, and the tables are not
   * being rebuilt.
   */
  checks(): Readonly<Record<'assigned' | 'kafka' | 'postgres' | 'readModel', boolean>> {
    const parts = this.#parts.checks(Date.now());
    const kafka = parts.kafka && this.#damage === undefined;
    return { assigned: this.#assigned !== undefined, ...parts, kafka };
  }

  /** Why the projector cannot store the next entries; undefined while it can. */
  obstacle(): string | undefined {
    return this.#obstacle;
  }

  quarantined(): number {
    return this.#quarantined;
  }

  /** The last known positions of this projector's partitions. */
  positions(): readonly ProjectedPosition[] {
    return this.#known.filter((position) => this.#assigned?.has(nameOf(position)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#onAssigned();
    // Aborts a rebuild that may be running.
    this.#stopping.abort();
    await this.#kafka.close();
    await this.#running;
    await this.#client?.end();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        const assigned = this.#assigned;
        if (assigned === undefined || assigned.size === 0) await this.#waitForAssignment();
        else await this.#projectOn(assigned);
      } catch (err) {
        if (this.#closed) return;
        await this.#recover(err);
      }
    }
  }

  async #waitForAssignment(): Promise<void> {
    this.#parts.idle();
    await new Promise<void>((resolve) => {
      this.#onAssigned = resolve;
    });
  }

  async #projectOn(assigned: Assigned): Promise<void> {
    this.#parts.use('postgres');
    this.#client ??= await this.#context.connect();
    this.#positions ??= await this.#start(this.#client, assigned);
    const moved = await this.#projectOnce(this.#client, this.#positions);
    // If the assignment has changed, other projectors may have moved the positions, so they are loaded again.
    this.#positions = this.#assigned === assigned ? moved : undefined;
    this.#known = moved;
    this.#parts.succeed();
    this.#hasWorked = true;
    this.#obstacle = this.#damage?.message;
  }

  async #start(client: Client, assigned: Assigned): Promise<readonly ProjectedPosition[]> {
    const { config, follower } = this.#context;
    const { topics } = config;
    this.#parts.use('kafka');
    await follower.catchUp();
    const partitions = await this.#kafka.partitionsOf(topics.records);
    this.#parts.use('postgres');
    await this.#fitTables(client);
    await ensurePositions(client, liveSchema, [
      { topic: topics.directory, partitions: 1 },
      { topic: topics.records, partitions },
    ]);
    if (!this.#hasWorked) await markForRetry(client, liveSchema);
    const positions = await loadPositions(client);
    return positions.filter((position) => assigned.has(nameOf(position)));
  }

  async #projectOnce(
    client: Client,
    from: readonly ProjectedPosition[],
  ): Promise<readonly ProjectedPosition[]> {
    const { follower, log, meter, onStored } = this.#context;
    this.#parts.use('kafka');
    const { damage, endOfLast, folded, hasMore, read } = await this.#take(from);
    this.#setDamage(damage);
    if (Date.now() - this.#inspectedAt >= INSPECT_EVERY_MS) {
      this.#parts.use('postgres');
      await this.#inspect(client, from);
    }
    if (folded.moved.length === 0) return from;
    // Definitions acknowledged before a record changed must be applied before that change is stored.
    await (endOfLast === undefined ? follower.catchUp() : follower.waitFor(endOfLast));
    this.#parts.use('postgres');
    await this.#fitTables(client);
    if (hasMore) this.#readAhead(folded.to);
    const model = follower.directory.entity;
    const setAside = await meter.commit(folded.events.length, () =>
      storeBatch(client, { ...folded, schema: liveSchema, model, unfit: this.#unfit }, log),
    );
    meter.stored({ read, folded, setAside });
    onStored(new Set(folded.events.map(({ event }) => event.entityType)));
    return folded.to;
  }

  #setDamage(damage: BatchDamaged | undefined): void {
    if (damage !== undefined && damage.message !== this.#damage?.message) {
      const { message: reason, remedy } = damage;
      this.#context.log.error({ reason, remedy }, 'a partition cannot be projected');
    }
    this.#damage = damage;
  }

  /** Returns the batch after `from`, possibly from a read-ahead. */
  #take(from: readonly ProjectedPosition[]): Promise<ReadBatch> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead?.from === from ? ahead.batch : this.#read(from);
  }

  /**
   * Not called at the end of the log, where the next batch should include everything that arrives while this one is
   * being stored.
   */
  #readAhead(from: readonly ProjectedPosition[]): void {
    const batch = this.#read(from);
    // #take awaits the batch and handles its error. If the batch is never taken, the error does not matter.
    batch.catch(() => undefined);
    this.#ahead = { from, batch };
  }

  async #read(from: readonly ProjectedPosition[]): Promise<ReadBatch> {
    const { config, follower } = this.#context;
    const topic = config.topics.directory;
    const ours = from.find((position) => position.topic === topic);
    // If another projector has the directory's partition, only the end of the directory is needed.
    const last = ours ?? { topic, partition: 0, offset: follower.offset() };
    const others = from.filter((position) => position !== ours);
    const found = await readPartitionsBefore(this.#kafka, { others, last }, liveRead);
    return { ...found, folded: foldPartitions(found.read, from) };
  }

  /** Alters the tables if entity definitions have changed; otherwise sends no query. */
  async #fitTables(client: Client): Promise<void> {
    const revision = this.#context.follower.directory.revision();
    if (revision === this.#fittedRevision) return;
    this.#parts.use('readModel');
    this.#unfit = await this.#context.ensureReadModel(client, this.#stopping.signal);
    this.#parts.use('postgres');
    this.#fittedRevision = revision;
    this.#inspectedAt = Date.now();
  }

  /**
   * Checks for missing tables, which would otherwise make reads fail before the projector notices, and retries
   * quarantined records that are marked for a retry.
   */
  async #inspect(client: Client, ours: readonly ProjectedPosition[]): Promise<void> {
    this.#inspectedAt = Date.now();
    const { directory } = this.#context.follower;
    await refuseDamage(client, liveSchema, directory.entities());
    const target = { schema: liveSchema, model: directory.entity, unfit: this.#unfit };
    const released = await retryQuarantined(client, target, ours);
    if (released > 0) this.#context.log.info({ released }, 'records released from quarantine');
    this.#quarantined = await countQuarantined(client, liveSchema);
  }

  async #recover(err: unknown): Promise<void> {
    // Failures are expected during startup: for example, new topics have no leader yet.
    const outage = outageOf(err);
    const level = this.#hasWorked || err instanceof LaterVersion ? 'warn' : 'info';
    this.#context.log[level]({ err: outage ?? err }, 'projection interrupted');
    const damage = err instanceof BatchDamaged ? err : undefined;
    this.#setDamage(damage);
    const isTransient =
      err instanceof Unavailable ||
      err instanceof ReadModelDamaged ||
      outage !== undefined ||
      sqlStateOf(err) === positionsMoved;
    if (isTransient || damage !== undefined) {
      this.#context.meter.interrupted(this.#parts.fail(damage && 'kafka'));
    }
    if (sqlStateOf(err) !== positionsMoved) await this.#reportObstacle(outage?.cause ?? err);
    await this.#client?.end().catch(() => undefined);
    this.#positions = undefined;
    this.#fittedRevision = -1;
    this.#client = undefined;
    await sleep(isTransient ? RETRY_AFTER_MS : RETRY_OBSTACLE_AFTER_MS);
  }

  /** Stores the obstacle, and also notifies the apis if Postgres responds. */
  async #reportObstacle(err: unknown): Promise<void> {
    const obstacle = this.#nameObstacle(err);
    this.#obstacle = obstacle;
    const report = this.#client?.query('select pg_notify($1, $2)', [obstacleChannel, obstacle]);
    await Promise.race([report?.catch(() => undefined), sleep(REPORTED_WITHIN_MS)]);
  }

  /** Returns the reason, with the first unprojected entry of each partition. */
  #nameObstacle(err: unknown): string {
    if (err instanceof UnsoundTables || err instanceof BatchDamaged) return err.message;
    const next = this.#known
      .filter((position) => this.#assigned?.has(nameOf(position)))
      .map((position) => `${nameOf(position)} offset ${position.offset}`);
    return `${reasonOf(err)}, at ${next.join(' or ') || 'the first entry'}`.slice(0, MAX_OBSTACLE);
  }
}

function nameOf({ topic, partition }: ProjectedPosition): string {
  return `${topic}/${partition}`;
}
