import type { Pool } from 'pg';
import { evolve } from '../domain/record/evolve.ts';
import type { RecordState } from '../domain/record/record-state.ts';
import { asKnown } from '../events/later-version.ts';
import type { LoggedEvent } from '../events/log-entry.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import { orUnavailable } from './outage-of.ts';
import { fitPage, isFull } from './sql/fit-page.ts';
import { liveSchema } from './tables/read-model-names.ts';

/** The event of a completed command, and its effect. */
interface CommandOutcome {
  readonly event: LoggedEvent;
  /** The record right after the event, with the names of linked records at that time. */
  readonly state: RecordState;
}

const history = `${liveSchema}.record_history`;

/** Returns the command with this key (see commandKey), if Postgres has its event. */
export async function findCommandByKey(
  pool: Pool,
  commandKey: string,
): Promise<CommandOutcome | undefined> {
  const text = `select event from ${history} where command_id = $1 limit 1`;
  const [event] = (await readRows(pool, text, [commandKey])).flatMap(toEvents);
  return event && { event, state: await stateAfter(pool, event) };
}

/** Returns the keys (see commandKey) for which Postgres has an event. */
export async function findCommandKeys(
  pool: Pool,
  commandKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await orUnavailable(
    pool.query<{ command_id: string }>(
      `select command_id from ${history} where command_id = any($1)`,
      [commandKeys],
    ),
  );
  return new Set(rows.map(({ command_id }) => command_id));
}

const PAGE = 100;
/** The highest `integer` in Postgres. All versions are lower. */
const MAX_VERSION = 2 ** 31 - 1;

/**
 * Finds, among the latest events of a record, the event that a request caused. Ignores events older than `since`, in
 * milliseconds since 1970.
 */
export async function findCommandByRequest(
  pool: Pool,
  record: { readonly entityType: string; readonly id: string },
  request: { readonly correlationId: string; readonly since: number },
): Promise<CommandOutcome | undefined> {
  let before = MAX_VERSION;
  for (;;) {
    const { events, isLast } = await readPage(pool, record, { before, order: 'version desc' });
    const event = events.find(({ correlationId }) => correlationId === request.correlationId);
    if (event !== undefined) return { event, state: await stateAfter(pool, event) };
    const oldest = events.at(-1);
    if (isLast || oldest === undefined || oldest.occurredAt < request.since) return undefined;
    before = oldest.version;
  }
}

async function stateAfter(
  pool: Pool,
  { entityType, recordId: id, version }: LoggedEvent,
): Promise<RecordState> {
  let state: RecordState | undefined;
  for (;;) {
    const range = { after: state?.version ?? 0, before: version + 1, order: 'version' } as const;
    const { events, isLast } = await readPage(pool, { entityType, id }, range);
    for (const event of events) state = evolve(state, event);
    if (state === undefined) throw new Error(`no history of ${entityType} ${id}`);
    if (isLast || state.version === version) return state;
  }
}

interface PageOfEvents {
  readonly events: readonly LoggedEvent[];
  readonly isLast: boolean;
}

/** Returns the events of a record between two versions (both exclusive), as many as fit in a page. */
async function readPage(
  pool: Pool,
  { entityType, id }: { readonly entityType: string; readonly id: string },
  {
    after = 0,
    before,
    order,
  }: {
    readonly after?: number;
    readonly before: number;
    readonly order: 'version' | 'version desc';
  },
): Promise<PageOfEvents> {
  const rows = `select event, version from ${history} where record_id = $1 and entity_type = $2
    and version > $3 and version < $4 order by ${order} limit ${PAGE}`;
  const text = fitPage({ rows, bytes: 'octet_length(event)', order });
  const found = await readRows(pool, text, [id, entityType, after, before]);
  return { events: found.flatMap(toEvents), isLast: found.length < PAGE && !isFull(found) };
}

interface EventRow {
  readonly event: Buffer;
  readonly [column: string]: unknown;
}

async function readRows(
  pool: Pool,
  text: string,
  values: readonly unknown[],
): Promise<readonly EventRow[]> {
  const { rows } = await orUnavailable(pool.query<EventRow>({ text, values: [...values] }));
  return rows;
}

function toEvents({ event }: EventRow): readonly LoggedEvent[] {
  const entry = asKnown(() => decodeLogEntry(event));
  return entry.kind === 'event' ? [entry.event] : [];
}
