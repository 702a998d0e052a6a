import type { Pool } from 'pg';
import { evolve } from '../domain/record/evolve.ts';
import type { RecordState } from '../domain/record/record-state.ts';
import { asKnown } from '../events/later-version.ts';
import type { LoggedEvent } from '../events/log-entry.ts';
import { decodeLogEntry } from '../events/log-entry-codec.ts';
import { orUnavailable } from './outage-of.ts';
import { liveSchema } from './tables/read-model-names.ts';

/** The result of a command. */
export interface CommandOutcome {
  readonly event: LoggedEvent;
  /** The record right after it, with the names of linked records at that time. */
  readonly state: RecordState;
}

const history = `${liveSchema}.record_history`;

/** The command that came with this key (see commandKey), if Postgres has its event. */
export async function findCommandByKey(
  pool: Pool,
  commandKey: string,
): Promise<CommandOutcome | undefined> {
  const events = await readEvents(pool, `select event from ${history} where command_id = $1`, [
    commandKey,
  ]);
  const [event] = events;
  return event && { event, state: await stateAfter(pool, event) };
}

/** Those of the keys (see commandKey) that Postgres has an event for. */
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

/**
 * The event of a request among the latest events of a record. It cannot be older than `since`, in milliseconds since
 * 1970.
 */
export async function findCommandByRequest(
  pool: Pool,
  record: { readonly entityType: string; readonly id: string },
  request: { readonly correlationId: string; readonly since: number },
): Promise<CommandOutcome | undefined> {
  for (let skipped = 0; ; skipped += PAGE) {
    const events = await readEvents(
      pool,
      `select event from ${history} where record_id = $1 and entity_type = $2
       order by version desc offset $3 limit ${PAGE}`,
      [record.id, record.entityType, skipped],
    );
    const event = events.find(({ correlationId }) => correlationId === request.correlationId);
    if (event !== undefined) return { event, state: await stateAfter(pool, event) };
    const oldest = events.at(-1);
    if (events.length < PAGE || oldest === undefined || oldest.occurredAt < request.since) {
      return undefined;
    }
  }
}

async function stateAfter(
  pool: Pool,
  { entityType, recordId, version }: LoggedEvent,
): Promise<RecordState> {
  const events = await readEvents(
    pool,
    `select event from ${history} where record_id = $1 and entity_type = $2 and version <= $3
     order by version`,
    [recordId, entityType, version],
  );
  const state = events.reduce<RecordState | undefined>(
    (before, event) => evolve(before, event),
    undefined,
  );
  if (state === undefined) throw new Error(`no history of ${entityType} ${recordId}`);
  return state;
}

async function readEvents(
  pool: Pool,
  text: string,
  values: readonly unknown[],
): Promise<readonly LoggedEvent[]> {
  const { rows } = await orUnavailable(
    pool.query<{ readonly event: Buffer }>({ text, values: [...values] }),
  );
  return rows.flatMap(({ event }) => {
    const entry = asKnown(() => decodeLogEntry(event));
    return entry.kind === 'event' ? [entry.event] : [];
  });
}
