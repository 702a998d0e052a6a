import { Refusal } from '../errors.ts';
import { printable } from '../printable.ts';
import { type AttributeValues, sameValue } from '../value/attribute-values.ts';
import { type Change, type RecordEventType, restoration } from './record-event.ts';
import type { RecordState } from './record-state.ts';

/** The outcome of a command: the event that it causes. Functions return undefined instead if nothing changes. */
export interface Decision {
  readonly type: RecordEventType;
  readonly changes: readonly Change[];
  /** For a new record: all of its values, including values that the event omits. */
  readonly values?: AttributeValues;
}

/**
 * Decides a creation. `values` must be complete: validated, with defaults and the names of linked records. The event
 * omits values that equal `empty` (docs/adr/0022).
 */
export function decideCreate(
  state: RecordState | undefined,
  values: AttributeValues,
  empty: AttributeValues = {},
): Decision {
  if (state !== undefined) {
    throw new Refusal('conflict', 'record.exists', `Record ${state.id} already exists.`);
  }
  const changes: Change[] = [];
  for (const [attribute, after] of Object.entries(values)) {
    if (after === null || sameValue(after, empty[attribute])) continue;
    changes.push({ attribute, before: null, after });
  }
  return { type: 'Created', changes, values };
}

/** Returns the other attributes of the field to which an attribute belongs. */
export type SiblingsOf = (attribute: string) => readonly string[];

/**
 * Decides an update. Returns undefined if no value differs. The event also contains the unchanged attributes of a
 * changed field, with `before` equal to `after`, so that consumers get the whole field (an address, a link).
 */
export function decideUpdate(
  state: RecordState,
  values: AttributeValues,
  siblingsOf: SiblingsOf = () => [],
): Decision | undefined {
  const before = live(state, state.id).values;
  const changes = differences(before, values);
  if (changes.length === 0) return undefined;
  const changed = new Set(changes.map(({ attribute }) => attribute));
  const siblings = new Set(changes.flatMap(({ attribute }) => siblingsOf(attribute)));
  const unchanged = [...siblings.difference(changed)].map((attribute) => {
    const value = before[attribute] ?? null;
    return { attribute, before: value, after: value };
  });
  return { type: 'Updated', changes: [...changes, ...unchanged] };
}

/** Decides a creation or, if the record exists, an update. */
export function decideWrite(
  state: RecordState | undefined,
  values: AttributeValues,
): Decision | undefined {
  return state === undefined ? decideCreate(state, values) : decideUpdate(state, values);
}

export function decideDelete(state: RecordState): Decision {
  live(state, state.id);
  return { type: 'Deleted', changes: [] };
}

/** Restores a deleted record with its previous values and links. */
export function decideRestore(state: RecordState | undefined, id: string): Decision {
  if (state === undefined) throw recordNotFound(id);
  if (state.deleted) return { type: 'Updated', changes: [restoration] };
  throw new Refusal('conflict', 'record.not_deleted', 'The record is not deleted.');
}

/** Returns the record; throws if it is missing or deleted. `id` is the id that the client requested. */
export function live(state: RecordState | undefined, id: string): RecordState {
  if (state === undefined || state.deleted) throw recordNotFound(id);
  return state;
}

/**
 * Returns the error for writes; reads use a different message
 * (docs/reference/espocrm-compatibility.md#records-that-do-not-exist).
 */
export function recordNotFound(id: string): Refusal {
  return new Refusal('not_found', 'record.not_found', `Record ${printable(id)} not found.`);
}

function differences(before: AttributeValues, after: AttributeValues): readonly Change[] {
  const changes: Change[] = [];
  for (const [attribute, value] of Object.entries(after)) {
    const old = before[attribute] ?? null;
    if (!sameValue(old, value)) changes.push({ attribute, before: old, after: value });
  }
  return changes;
}
