/**
 * read ──▶ fold ──▶ tables fit? ──▶ one statement ──▶ read
 *   ▲                                  │
 *   └── load positions ◀── moved by another, or Postgres or Kafka away (wait, try again for ever)
 *
 * One reader for all partitions, so that everything that waits goes into the same transaction. What a crash loses is
 * read again: positions move in the transaction of the rows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf, sqlStateOf } from '../../../shared/db/outage-of.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { liveRead, readPartitionsBefore } from '../../../shared/kafka/read-partitions.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { positionsMoved } from './batch-statement.ts';
import { foldPartitions } from './fold-partitions.ts';
import { ensurePositions, storeBatch } from './store-batch.ts';

export interface ProjectorDeps {
  readonly kafka: KafkaConnection;
  readonly directory: DirectoryFollower;
  readonly topics: { readonly directory: string; readonly records: string };
  /** A new connection; the projector uses one at a time. */
  readonly connect: () => Promise<Client>;
  readonly schema: string;
  readonly log: Logger;
}

const RETRY_AFTER_MS = 250;

export class Projector {
  readonly #deps: ProjectorDeps;
  readonly #running: Promise<void>;
  #client: Client | undefined;
  #positions: readonly ProjectedPosition[] | undefined;
  /** Of the directory whose entity definitions the tables fit. */
  #fittedRevision = -1;
  #isWorking = false;
  #hasWorked = false;
  #closed = false;

  constructor(deps: ProjectorDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  /** Has read the log and reached Postgres since it last failed. */
  isWorking(): boolean {
    return this.#isWorking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#deps.kafka.close();
    await this.#running;
    await this.#client?.end();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#client ??= await this.#deps.connect();
        this.#positions ??= await this.#start(this.#client);
        this.#positions = await this.#projectOnce(this.#client, this.#positions);
        this.#isWorking = true;
        this.#hasWorked = true;
      } catch (err) {
        if (this.#closed) return;
        await this.#recover(err);
      }
    }
  }

  async #start(client: Client): Promise<readonly ProjectedPosition[]> {
    const { directory, kafka, topics, schema } = this.#deps;
    await directory.catchUp();
    await this.#fitTables(client);
    const partitions = await kafka.partitionsOf(topics.records);
    await ensurePositions(client, schema, [
      { topic: topics.directory, partitions: 1 },
      { topic: topics.records, partitions },
    ]);
    return loadPositions(client);
  }

  async #projectOnce(
    client: Client,
    from: readonly ProjectedPosition[],
  ): Promise<readonly ProjectedPosition[]> {
    const { directory, kafka, schema, log } = this.#deps;
    const { read, endOfLast } = await readPartitionsBefore(
      kafka,
      this.#directoryLast(from),
      liveRead,
    );
    if (read.length === 0) return from;
    // A definition acknowledged before a record changed is known before that change is stored.
    await (endOfLast === undefined ? directory.catchUp() : directory.waitFor(endOfLast));
    await this.#fitTables(client);
    const folded = foldPartitions(read, from);
    const model = (entityType: string) => directory.directory.entity(entityType);
    await storeBatch(client, { ...folded, schema, model }, log);
    const to = new Map(folded.moved.map((one) => [`${one.to.topic}/${one.to.partition}`, one.to]));
    return from.map((position) => to.get(`${position.topic}/${position.partition}`) ?? position);
  }

  #directoryLast(positions: readonly ProjectedPosition[]) {
    const { topics } = this.#deps;
    const [last] = positions.filter(({ topic }) => topic === topics.directory);
    if (last === undefined) throw new Error('the directory has no position');
    return { others: positions.filter((position) => position !== last), last };
  }

  /** Tables follow the entity definitions; nothing is asked of Postgres while these stay as they are. */
  async #fitTables(client: Client): Promise<void> {
    const { directory } = this.#deps.directory;
    const revision = directory.revision();
    if (revision === this.#fittedRevision) return;
    await ensureTables(client, this.#deps.schema, directory.entities());
    this.#fittedRevision = revision;
  }

  async #recover(err: unknown): Promise<void> {
    // Topics that were created a moment ago have no leader yet: nothing that anybody should look at.
    this.#deps.log[this.#hasWorked ? 'warn' : 'info']({ err }, 'projection interrupted');
    const dropped = this.#client;
    this.#isWorking = false;
    this.#positions = undefined;
    this.#fittedRevision = -1;
    this.#client = undefined;
    await dropped?.end().catch(() => undefined);
    const isTransient =
      err instanceof Unavailable ||
      outageOf(err) !== undefined ||
      sqlStateOf(err) === positionsMoved;
    if (!isTransient) throw err;
    await sleep(RETRY_AFTER_MS);
  }
}
