import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
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
  /**
   * Values that later events replaced, by attribute. Empty unless the record appeared. Undefined if there are too many
   * later events.
   */
  readonly replaced: readonly Pick<Change, 'attribute' | 'before'>[] | undefined;
}

/** A change has few events per record. The limit bounds memory. */
const MAX_STEPS = 100;
const MAX_LATER = 100;
const history = `${liveSchema}.record_history`;

/** Reads the effect of a change on a record from the history. Returns undefined if it has none. */
export async function readEffect(
  pool: Pool,
  { entityType, id }: { readonly entityType: string; readonly id: string },
  { event, steps }: UndoableChange,
): Promise<Effect | undefined> {
  const isItsRecord = event?.entityType === entityType && event.recordId === id;
  const own = await readEvents(
    pool,
    `(version = $3 or exists (select from unnest($4::text[]) step where command_id ^@ step))`,
    [id, entityType, isItsRecord ? event.version : 0, steps, MAX_STEPS],
  );
  const effect = toEffect(own);
  if (effect?.kind !== 'appeared') return effect;
  const later = await readEvents(pool, 'version > $3', [
    id,
    entityType,
    effect.version,
    MAX_LATER + 1,
  ]);
  const replaced = later.length > MAX_LATER ? undefined : firstValues(later);
  return { ...effect, replaced };
}

async function readEvents(
  pool: Pool,
  condition: string,
  values: readonly unknown[],
): Promise<readonly RecordEvent[]> {
  const { rows } = await orUnavailable(
    pool.query<{ event: Buffer }>(
      `select event from ${history} where record_id = $1 and entity_type = $2 and ${condition}
       order by version limit $${values.length}`,
      [...values],
    ),
  );
  return rows.flatMap(({ event }) => {
    const entry = asKnown(() => decodeLogEntry(event));
    return entry.kind === 'event' ? [entry.event] : [];
  });
}

/** Combines the events of a change, oldest first. Returns undefined if they changed nothing. */
function toEffect(events: readonly RecordEvent[]): Effect | undefined {
  const [first, last] = [events.at(0), events.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const kind = kindOf(first, last);
  if (kind === undefined) return undefined;
  const changes = new Map<string, Change>();
  for (const { attribute, before, after } of events.flatMap((event) => event.changes)) {
    if (attribute === restoration.attribute) continue;
    const earlier = changes.get(attribute) ?? { before };
    changes.set(attribute, { attribute, before: earlier.before, after });
  }
  return { kind, changes: [...changes.values()], version: last.version, replaced: [] };
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
