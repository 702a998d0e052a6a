import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { fitPage, isFull } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import {
  type Change,
  isRestoration,
  type RecordEvent,
  restoration,
} from '../../../shared/domain/record/record-event.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { UndoableChange } from './undoable-change.ts';

/** The effect of a change on one record. */
export interface Effect {
  /** `appeared`: created or restored. `vanished`: deleted. */
  readonly kind: 'appeared' | 'updated' | 'vanished';
  /** Per attribute, the value before the change and the value after it. */
  readonly changes: readonly Change[];
  /** Version of the record after the change. */
  readonly version: number;
  /** The last version that was read. The writer may already have a later one. */
  readonly seen: number;
  /**
   * Values that later events replaced, by attribute. Empty unless the record appeared. Undefined if the
   * later events are too many or too large.
   */
  readonly replaced: readonly Pick<Change, 'attribute' | 'before'>[] | undefined;
}

/** A few later events suffice to show that a record has changed. Like fitPage, the limit bounds memory. */
const MAX_EVENTS = 100;
const history = `${liveSchema}.record_history`;

interface EventsOfRecord {
  readonly entityType: string;
  readonly id: string;
  /** SQL condition that selects the events. Its own parameters begin with $4. */
  readonly condition: string;
  readonly values?: readonly unknown[];
}

interface Page {
  readonly events: readonly RecordEvent[];
  readonly last: number;
  readonly isLast: boolean;
}

/**
 * Reads the effect of a change on a record from the history. Returns undefined if the change did not affect the record.
 */
export async function readEffect(
  pool: Pool,
  { entityType, id }: { readonly entityType: string; readonly id: string },
  { event, steps }: UndoableChange,
): Promise<Effect | undefined> {
  const isItsRecord = event?.entityType === entityType && event.recordId === id;
  const own = readPages(pool, {
    entityType,
    id,
    condition: `(version = $4 or exists (select from unnest($5::text[]) step where command_id ^@ step))`,
    values: [isItsRecord ? event.version : 0, steps],
  });
  const effect = await toEffect(own);
  if (effect?.kind !== 'appeared') return effect;
  const { last: seen, ...later } = await readPage(
    pool,
    { entityType, id, condition: 'true' },
    effect.version,
  );
  return { ...effect, seen, replaced: later.isLast ? firstValues(later.events) : undefined };
}

async function* readPages(pool: Pool, of: EventsOfRecord): AsyncIterable<RecordEvent> {
  let after = 0;
  for (;;) {
    const { events, last, isLast } = await readPage(pool, of, after);
    yield* events;
    if (isLast) return;
    after = last;
  }
}

/** Reads as many events after a version as fit in a page, oldest first. `last` is the last version that was read. */
async function readPage(
  pool: Pool,
  { entityType, id, condition, values = [] }: EventsOfRecord,
  after: number,
): Promise<Page> {
  const rows = `select event, version from ${history}
    where record_id = $1 and entity_type = $2 and version > $3 and ${condition}
    order by version limit ${MAX_EVENTS}`;
  const text = fitPage({ rows, bytes: 'octet_length(event)', order: 'version' });
  const { rows: found } = await orUnavailable(
    pool.query<{ readonly event: Buffer; readonly version: number }>(text, [
      id,
      entityType,
      after,
      ...values,
    ]),
  );
  const events = found.flatMap(({ event }) => {
    const entry = asKnown(() => decodeLogEntry(event));
    return entry.kind === 'event' ? [entry.event] : [];
  });
  const last = found.at(-1)?.version ?? after;
  return { events, last, isLast: found.length < MAX_EVENTS && !isFull(found) };
}

/** Combines the events of a change, oldest first. Returns undefined if they have no effect overall. */
async function toEffect(events: AsyncIterable<RecordEvent>): Promise<Effect | undefined> {
  let first: RecordEvent | undefined;
  let last: RecordEvent | undefined;
  const changes = new Map<string, Change>();
  for await (const event of events) {
    first ??= event;
    last = event;
    for (const { attribute, before, after } of event.changes) {
      if (attribute === restoration.attribute) continue;
      const earlier = changes.get(attribute) ?? { before };
      changes.set(attribute, { attribute, before: earlier.before, after });
    }
  }
  if (first === undefined || last === undefined) return undefined;
  const kind = kindOf(first, last);
  if (kind === undefined) return undefined;
  const { version } = last;
  return { kind, changes: [...changes.values()], version, seen: version, replaced: [] };
}

function kindOf(first: RecordEvent, last: RecordEvent): Effect['kind'] | undefined {
  const existed = first.type !== 'Created' && !isRestoration(first);
  if (last.type === 'Deleted') return existed ? 'vanished' : undefined;
  return existed ? 'updated' : 'appeared';
}

function firstValues(events: readonly RecordEvent[]): Effect['replaced'] {
  const values = new Map<string, Change>();
  for (const change of events.flatMap(({ changes }) => changes)) {
    const isFirst = !values.has(change.attribute) && change.attribute !== restoration.attribute;
    if (isFirst) values.set(change.attribute, change);
  }
  return [...values.values()];
}
