import type { AccessDatabase } from '../../../shared/audit/access-tables.ts';
import { fitPage, isFull } from '../../../shared/db/sql/fit-page.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import { type AttributeValue, sameValue } from '../../../shared/domain/value/attribute-values.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { withoutSecrets } from '../rejected/without-secrets.ts';
import type { IndexedChange } from './change-index.ts';

export interface ChangePage {
  /** The changed attributes by `seq`, without secrets. Changes that are not in Postgres yet are missing. */
  readonly changes: ReadonlyMap<number, readonly Change[]>;
  /** The number of changes that were read. Reading stops when a page is full. */
  readonly count: number;
}

const text = fitPage({
  rows: `select seq, place, event from unnest($1::bigint[], $2::text[], $3::text[], $4::int[])
      with ordinality as wanted (seq, wanted_type, wanted_id, wanted_version, place)
    join ${liveSchema}.record_history
      on record_id = wanted_id and version = wanted_version and entity_type = wanted_type`,
  bytes: 'octet_length(event)',
  order: 'place',
});

export async function readChanges(
  database: AccessDatabase,
  indexed: readonly IndexedChange[],
): Promise<ChangePage> {
  if (indexed.length === 0) return { changes: new Map(), count: 0 };
  const { rows } = await database.query<{ seq: string; place: string; event: Buffer }>(text, [
    indexed.map(({ seq }) => seq),
    indexed.map(({ entityType }) => entityType),
    indexed.map(({ recordId }) => recordId),
    indexed.map(({ version }) => version),
  ]);
  return {
    changes: new Map(rows.map(({ seq, event }) => [Number(seq), decodeChanges(event)])),
    count: isFull(rows) ? Number(rows.at(-1)?.place) : indexed.length,
  };
}

function decodeChanges(bytes: Buffer): readonly Change[] {
  const entry = asKnown(() => decodeLogEntry(bytes));
  if (entry.kind !== 'event') throw new Error('record_history contains a fence');
  // Must come before withoutSecrets, which replaces the values before and after a change with the same text.
  const isChange = ({ before, after }: Change) => !sameValue(before, after);
  const event = { ...entry.event, changes: entry.event.changes.filter(isChange) };
  return withoutSecrets(event, { isDirectory: true }).changes.flatMap(toParts);
}

/**
 * Splits a change of an object into the parts that differ, such as `fields.name`: in a definition, one attribute
 * contains all fields.
 */
export function toParts({ attribute, before, after }: Change): readonly Change[] {
  const [old, now] = [toObject(before), toObject(after)];
  if (old === undefined || now === undefined) return [{ attribute, before, after }];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((key) => ({
      attribute: `${attribute}.${key}`,
      before: old[key] ?? null,
      after: now[key] ?? null,
    }))
    .filter((part) => !sameValue(part.before, part.after));
}

/** Returns undefined for values that are not objects, but treats null as an empty object. */
function toObject(value: AttributeValue): Readonly<Record<string, AttributeValue>> | undefined {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, AttributeValue>>;
}
