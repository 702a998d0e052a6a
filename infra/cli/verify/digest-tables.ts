/**
 * Digests the contents of Postgres in one pass over the history, which is in the order of records.
 *
 *   history (COPY) ─▶ digests of events ─▶ fold each record ─▶ a few hundred records: compare their rows
 *                                               └─▶ digests of the mentions that follow from its events
 *   stream_mentions (COPY) ─▶ digests of mentions
 *
 * Two connections share one snapshot, so that rows can be read while the history is being copied.
 */
import type { Client } from 'pg';
import { nameStatement } from '../../../shared/db/pool.ts';
import { liveSchema, liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { mentionedIds } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { type Buckets, bucketCount, bucketInSql, bucketOf, Digests, inBuckets } from './buckets.ts';
import { compareRows } from './compare-tables.ts';
import { type CopiedRow, copyRows } from './copied-rows.ts';
import { decodeEvent } from './expect-records.ts';
import type { Rejected } from './load-rejected.ts';
import type { Verification } from './verification.ts';

export interface TablesDigest {
  /** Digests of the events in the history. */
  readonly events: Digests;
  /** The buckets with rows or mentions that do not follow from the history. */
  readonly differing: Set<number>;
  /** The number of records in the history, by bucket. */
  readonly records: Uint32Array;
}

/** Excludes rows and mentions of quarantined records. */
export async function digestTables(
  verification: Verification,
  buckets: Buckets,
): Promise<TablesDigest> {
  const { copying } = verification;
  const pass = new HistoryPass(verification, buckets);
  // Sorting all events would need as much disk space as the history itself.
  await copying.query('set local enable_sort = off');
  const history = copyRows(
    copying,
    `select entity_type, record_id, version, event from ${liveSchema}.record_history
     where ${inBuckets(buckets, 'entity_type', 'record_id')} order by record_id, version, entity_type`,
  );
  for await (const rows of history) await pass.take(rows);
  await pass.finish();
  await digestMentions(verification, pass, buckets);
  return pass;
}

/** Lower values would need more round trips, higher ones more memory. */
const RECORDS_AT_ONCE = 500;
const BYTES_AT_ONCE = 2 * 1024 * 1024;

class HistoryPass implements TablesDigest {
  readonly events = new Digests();
  readonly mentions = new Digests();
  readonly differing = new Set<number>();
  readonly records = new Uint32Array(bucketCount);
  readonly #client: Client;
  readonly #quarantined: Rejected['quarantined'];
  readonly #buckets: Buckets;
  readonly #models: ReadonlyMap<string, EntityModel>;
  /** The number of rows that belong to a record in the history, by entity type. */
  readonly #found = new Map<string, number>();
  /** The records with the current id, by entity type; almost always only one. */
  #current: { readonly id: string; readonly states: Map<string, RecordState> } | undefined;
  #waiting: RecordState[] = [];
  #waitingBytes = 0;
  #comparing: Promise<void> = Promise.resolve();

  constructor({ client, models, rejected }: Verification, buckets: Buckets) {
    this.#client = client;
    this.#quarantined = rejected.quarantined;
    this.#buckets = buckets;
    this.#models = new Map(models.map((model) => [model.name, model]));
  }

  async take(rows: readonly CopiedRow[]): Promise<void> {
    for (const row of rows) this.#takeRow(row);
    if (this.#waiting.length > RECORDS_AT_ONCE || this.#waitingBytes > BYTES_AT_ONCE)
      await this.#compareWaiting();
  }

  async finish(): Promise<void> {
    this.#endRecord();
    await this.#compareWaiting();
    await this.#comparing;
    for (const model of this.#models.values()) await this.#findStrayRows(model);
  }

  #takeRow([type, recordId, number, bytes]: CopiedRow): void {
    const entityType = type?.toString() ?? '';
    const id = recordId?.toString() ?? '';
    const version = number?.readInt32BE() ?? 0;
    const bucket = bucketOf(entityType, id);
    const event = bytes ?? Buffer.alloc(0);
    this.events.add(bucket, event);
    if (this.#current?.id !== id) {
      this.#endRecord();
      this.#current = { id, states: new Map() };
    }
    const { states } = this.#current;
    const known = states.get(entityType);
    if (known === undefined) this.records[bucket] = (this.records[bucket] ?? 0) + 1;
    const decoded = decodeEvent(event);
    // Digests compare only the bytes of events, not the other columns of the history.
    if (
      decoded?.entityType !== entityType ||
      decoded.recordId !== id ||
      decoded.version !== version
    ) {
      this.differing.add(bucket);
      return;
    }
    states.set(entityType, evolve(known, decoded));
    this.#waitingBytes += event.length;
    if (this.#quarantined.has(`${entityType}/${id}`)) return;
    for (const key of mentionsOf(decoded, this.#models.get(entityType)))
      this.mentions.add(bucket, key);
  }

  #endRecord(): void {
    for (const state of this.#current?.states.values() ?? []) {
      const { entityType, id } = state;
      if (!this.#quarantined.has(`${entityType}/${id}`)) this.#waiting.push(state);
    }
  }

  /** Compares the waiting records in the background while more of the history is read. */
  async #compareWaiting(): Promise<void> {
    const states = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#comparing;
    this.#comparing = this.#compare(states);
    // The next call rethrows the failure.
    this.#comparing.catch(() => undefined);
  }

  async #compare(states: readonly RecordState[]): Promise<void> {
    for (const [entityType, ofType] of Map.groupBy(states, (state) => state.entityType)) {
      const model = this.#models.get(entityType);
      if (model === undefined) continue;
      const { rows, fields } = await this.#client.query<unknown[]>({
        ...nameStatement(`select * from ${liveTable(entityType)} where id = any($1)`),
        values: [ofType.map(({ id }) => id)],
        rowMode: 'array',
      });
      this.#found.set(entityType, (this.#found.get(entityType) ?? 0) + rows.length);
      const names = fields.map(({ name }) => name);
      const compare = compareRows(model, names);
      const idAt = names.indexOf('id');
      const byId = new Map(rows.map((row) => [row[idAt], row]));
      for (const state of ofType) {
        const row = byId.get(state.id);
        if (row === undefined || compare(row, state).length > 0)
          this.differing.add(bucketOf(entityType, state.id));
      }
    }
  }

  /** Finds rows of records that have no events. Such rows exist only if there are more rows than records in the log. */
  async #findStrayRows({ name }: EntityModel): Promise<void> {
    const where = inBuckets(this.#buckets, '$1::text', 'id');
    const { rows: counted } = await this.#client.query<{ rows: string }>(
      `select count(*) as rows from ${liveTable(name)} where $1::text is not null and ${where}`,
      [name],
    );
    if (Number(counted[0]?.rows) === (this.#found.get(name) ?? 0)) return;
    const { rows } = await this.#client.query<{ bucket: string }>(
      `select distinct ${bucketInSql('$1::text', 'id')} as bucket from ${liveTable(name)} entity
       where ${where} and not exists (
         select from ${liveSchema}.record_history where record_id = entity.id and entity_type = $1)`,
      [name],
    );
    for (const { bucket } of rows) this.differing.add(Number.parseInt(bucket, 16));
  }
}

async function digestMentions(
  { copying, models, rejected: { quarantined } }: Verification,
  pass: HistoryPass,
  buckets: Buckets,
): Promise<void> {
  const found = new Digests();
  const types = new Set(models.map(({ name }) => name));
  const mentions = copyRows(
    copying,
    `select entity_type, by_id, record_id, number, version from ${liveSchema}.stream_mentions
     where ${inBuckets(buckets, 'entity_type', 'by_id')}`,
  );
  for await (const rows of mentions) {
    for (const [type, by, id, number, version] of rows) {
      // Rows of removed types remain in the live tables, but a rebuild omits them.
      if (!types.has(`${type}`) || quarantined.has(`${type}/${by}`)) continue;
      const bucket = bucketOf(`${type}`, `${by}`);
      const key = `${id}/${number?.readBigInt64BE()}/${version?.readInt32BE()}`;
      found.add(bucket, `${type}/${by}/${key}`);
    }
  }
  for (const bucket of buckets) {
    if (!pass.mentions.isSame(found, bucket)) pass.differing.add(bucket);
  }
}

/** Returns the keys of the rows that an event has in the streams of other records. */
function mentionsOf(event: LoggedEvent, model: EntityModel | undefined): readonly string[] {
  if (model === undefined) return [];
  const { entityType, recordId, version } = event;
  const number = numberOfEvent(event, 0);
  const ids = mentionedIds(event, model.definition);
  return ids.map((id) => `${entityType}/${recordId}/${id}/${number}/${version}`);
}
