/**
 * Handles records that the tables reject. If Postgres raises an error for some event but not for others, the projector
 * removes the event's record from its table, sets the record's events aside and continues (docs/adr/0040). Until the
 * record is released, it can be neither read nor changed.
 */
import type { ClientBase, Pool } from 'pg';
import { Refusal } from '../domain/errors.ts';
import { printable } from '../domain/printable.ts';
import { evolve } from '../domain/record/evolve.ts';
import type { RecordState } from '../domain/record/record-state.ts';
import type { LoggedEvent } from '../events/log-entry.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import { hasTable } from './find-tables.ts';
import { orUnavailable, sqlStateOf } from './outage-of.ts';
import { liveSchema, quoteName } from './tables/read-model-names.ts';

/** A connection or a pool. */
interface Db {
  query(statement: {
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface RecordName {
  readonly entityType: string;
  readonly id: string;
}

/** The position of an event in the log, and the event's record. `offset` is a decimal number. */
export interface QuarantinedEvent extends RecordName {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

/** NOTIFY channel for changes to the quarantine, sent before the notification of the batch that caused them. */
export const quarantineChannel = 'annals_quarantine';

/** `reload`: the whole quarantine may have changed. */
export type QuarantineNotice =
  | { readonly held: readonly QuarantinedEvent[] }
  | { readonly released: readonly RecordName[] }
  | 'reload';

export interface Quarantine {
  readonly events: readonly QuarantinedEvent[];
  /** Entity types whose table does not fit their definition. */
  readonly entityTypes: readonly string[];
}

/** Limits memory: beyond this number, only Postgres has the full list of quarantined records. */
const MAX_LOADED = 10_000;

/** Loads the quarantine of the live read model; empty before a projector's first start. */
export async function loadQuarantine(db: ClientBase | Pool): Promise<Quarantine> {
  const events = await orBeforeTables(
    db.query<QuarantinedEvent>(
      `select topic, partition, log_offset::text as "offset", entity_type as "entityType", record_id as id
       from ${liveSchema}.rejected_entries where record_id is not null limit ${MAX_LOADED}`,
    ),
    undefined,
  );
  return { events: events?.rows ?? [], entityTypes: [...(await loadUnfitTypes(db)).keys()] };
}

/** Returns the reasons why tables do not fit their definitions, by entity type. */
export async function loadUnfitTypes(
  db: ClientBase | Pool,
  schema = liveSchema,
): Promise<ReadonlyMap<string, string>> {
  // Checked first, because a failing query would abort the caller's transaction.
  if (!(await hasTable(db, `${quoteName(schema)}.unfit_types`))) return new Map();
  const { rows } = await db.query<{ readonly name: string; readonly reason: string }>(
    `select entity_type as name, reason from ${quoteName(schema)}.unfit_types`,
  );
  return new Map(rows.map(({ name, reason }) => [name, reason]));
}

/**
 * Returns SQL for the table of rejected entries. The result has the columns of this version, even if no projector of
 * this version has added them to the table yet.
 */
export async function rejectedEntries(client: ClientBase): Promise<string> {
  const table = `${liveSchema}.rejected_entries`;
  const { rowCount } = await client.query(
    `select from information_schema.columns
     where table_schema = $1 and table_name = 'rejected_entries' and column_name = 'record_id'`,
    [liveSchema],
  );
  if (rowCount !== 0) return table;
  return `(select *, null::text as entity_type, null::text as record_id, false as acknowledged from ${table}) rejected_entries`;
}

/** Throws a Refusal if the live read model has quarantined the record. */
export async function requireNotQuarantined(db: Db, record: RecordName): Promise<void> {
  const text = `select 1 from ${liveSchema}.rejected_entries where record_id = $1 and entity_type = $2
    union all select 1 from ${liveSchema}.unfit_types where entity_type = $2 limit 1`;
  const { rows } = await orUnavailable(db.query({ text, values: [record.id, record.entityType] }));
  if (rows.length > 0) throw recordQuarantined(record);
}

/** Returns the result of the query, or `other` if no projector of this version has prepared the tables. */
async function orBeforeTables<Answer, Other>(
  query: Promise<Answer>,
  other: Other,
): Promise<Answer | Other> {
  try {
    return await query;
  } catch (error) {
    if (['42P01', '42703'].includes(sqlStateOf(error))) return other;
    throw error;
  }
}

export function recordQuarantined({ entityType, id }: RecordName): Refusal {
  const message = `${printable(entityType)} ${printable(id)} is quarantined: the tables rejected one of its changes. An administrator can retry or discard the change under Log, Rejected.`;
  return new Refusal('conflict', 'record.quarantined', message);
}

/** An event of a quarantined record. `heldAt` is its position, if the tables did not accept it. */
interface RecordedEvent {
  readonly event: LoggedEvent;
  readonly bytes: Buffer;
  readonly heldAt:
    | { readonly topic: string; readonly partition: number; readonly offset: bigint }
    | undefined;
  readonly isInHistory: boolean;
}

/** Returns all events of a record by version, including events that the history did not accept. */
export async function readAllEvents(
  db: ClientBase | Pool,
  schema: string,
  { entityType, id }: RecordName,
): Promise<readonly RecordedEvent[]> {
  const name = quoteName(schema);
  const { rows } = await db.query<{
    readonly bytes: Buffer;
    readonly topic: string | null;
    readonly partition: number | null;
    readonly offset: string | null;
  }>(
    `select event as bytes, null as topic, null::int as partition, null::bigint as "offset"
     from ${name}.record_history where record_id = $1 and entity_type = $2
     union all
     select entry, topic, partition, log_offset
     from ${name}.rejected_entries where record_id = $1 and entity_type = $2`,
    [id, entityType],
  );
  const byVersion = new Map<number, RecordedEvent>();
  for (const { bytes, topic, partition, offset } of rows) {
    const entry = decodeLogEntry(bytes);
    if (entry.kind !== 'event') continue;
    const { event } = entry;
    const known = byVersion.get(event.version);
    const heldAt =
      topic === null || partition === null || offset === null
        ? known?.heldAt
        : { topic, partition, offset: BigInt(offset) };
    const isInHistory = topic === null || known?.isInHistory === true;
    byVersion.set(event.version, { event, bytes, heldAt, isInHistory });
  }
  return [...byVersion.values()].sort((one, other) => one.event.version - other.event.version);
}

/**
 * A quarantined record after all of its events, and its state before the first event that the tables did not accept.
 */
interface QuarantinedState {
  readonly state: RecordState;
  readonly stored: RecordState | undefined;
}

/** Returns undefined if the record is not quarantined. */
export async function readQuarantined(
  pool: Pool,
  record: RecordName,
): Promise<QuarantinedState | undefined> {
  let stored: RecordState | undefined;
  let state: RecordState | undefined;
  let isHeld = false;
  for (const { event, heldAt } of await orUnavailable(readAllEvents(pool, liveSchema, record))) {
    isHeld ||= heldAt !== undefined;
    state = evolve(state, event);
    if (!isHeld) stored = state;
  }
  return isHeld && state !== undefined ? { state, stored } : undefined;
}
