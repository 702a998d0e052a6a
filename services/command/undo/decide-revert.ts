import { mayEditField, requireScope } from '../../../shared/domain/access/actor.ts';
import { requireAssignable, type TeamsOf } from '../../../shared/domain/access/assignment.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import {
  type EntityModel,
  systemAttributes,
} from '../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../shared/domain/entity/model/per-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { type FieldDefinition, fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { convertAmounts } from '../../../shared/domain/input/convert-amounts.ts';
import type { CurrencyRates } from '../../../shared/domain/input/currency-rates.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import {
  type Decision,
  decideDelete,
  decideRestore,
  decideUpdate,
  live,
  recordNotFound,
} from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValue } from '../../../shared/domain/record/to-record-body.ts';
import {
  type AttributeValue,
  type AttributeValues,
  sameValue,
} from '../../../shared/domain/value/attribute-values.ts';
import type { Acting } from '../owner/command.ts';
import { siblingsIn } from '../records/input/decide-change.ts';
import { fieldClosed } from '../records/input/read-values.ts';
import { type ResolvedLinks, requireReadableLinks } from '../records/input/resolve-links.ts';
import { requireRestoring } from '../records/restore.ts';
import type { Effect } from './read-effect.ts';

/** The undo of a change to one record. */
export interface Reverting extends Acting {
  readonly id: string;
  readonly effect: Effect;
  /** The names of the records that earlier values link to. */
  readonly links: ResolvedLinks;
  /** Fields whose earlier values link to deleted records, with the reason. They keep their values. */
  readonly broken: ReadonlyMap<string, Refusal>;
  readonly teamsOf: TeamsOf;
  readonly currencies: CurrencyRates;
  /** True for a reference that a merge changed, even in records that the merging user could not edit. */
  readonly isFollowUp: boolean;
}

/**
 * Decides the undo of a change. Keeps every value that has changed since. Rejects the undo if nothing is left to do, or
 * if the record has changed since it appeared.
 */
export function decideRevert(
  state: RecordState | undefined,
  reverting: Reverting,
  now: number,
): Decision | undefined {
  const { actor, model, id, effect } = reverting;
  if (state === undefined) throw recordNotFound(id);
  switch (effect.kind) {
    case 'updated':
      return decideEarlierValues(live(state, id), reverting, now);
    case 'vanished': {
      requireRestoring(actor, { ...state, model });
      if (!state.deleted) throw alreadyUndone();
      if (state.version !== effect.version) throw changedSince();
      return decideRestore(state, id);
    }
    case 'appeared': {
      requireScope(actor, model.name, 'delete');
      requireRecordAccess(actor, 'delete', { ...state, model });
      if (state.deleted) throw alreadyUndone();
      if (!isUnchanged(state, model, effect)) throw changedSince();
      return decideDelete(state);
    }
  }
}

function decideEarlierValues(
  current: RecordState,
  { actor, model, effect, links, broken, teamsOf, currencies, isFollowUp }: Reverting,
  now: number,
): Decision | undefined {
  if (!isFollowUp) {
    requireScope(actor, model.name, 'edit');
    requireRecordAccess(actor, 'edit', { ...current, model });
  }
  const changed = changedFields(model, effect);
  const wanted = [...changed].filter(([, values]) => !has(current, values, 'before'));
  if (wanted.length === 0) throw alreadyUndone();
  const unchanged = wanted.filter(([, values]) => has(current, values, 'after'));
  const possible = unchanged.filter(([field]) => !broken.has(field));
  const open = possible.filter(([field]) => isFollowUp || mayEditField(actor, model, field));
  if (open.length === 0) throw reasonOf(unchanged, possible, broken);
  const fields = new Set(open.map(([field]) => field));
  const earlier = Object.fromEntries(
    open.flatMap(([, values]) => values.map(({ attribute, before }) => [attribute.name, before])),
  );
  if (!isFollowUp) {
    requireAssignable(actor, { model, values: earlier, current: current.values }, teamsOf);
    const unreadable = links.unreadable.filter((link) => link.idAttribute in earlier);
    requireReadableLinks({ ...links, unreadable }, current.values);
  }
  const names = Object.entries(links.values).filter(([name]) =>
    fields.has(model.attribute.get(name)?.field ?? ''),
  );
  const restored = { ...Object.fromEntries(names), ...earlier };
  const ruled = withFollowedRules(model, { current: current.values, after: restored, now });
  const derived = derivedValues(model, current.values, restored);
  const after = { ...ruled, ...restored, ...derived };
  const converted = convertAmounts(model, { after, current: current.values }, currencies);
  return decideUpdate(current, converted, siblingsIn(model));
}

type ChangedField = readonly [field: string, values: readonly ChangedValue[]];

/** Returns the reason why no field can be restored. */
function reasonOf(
  unchanged: readonly ChangedField[],
  possible: readonly ChangedField[],
  broken: Reverting['broken'],
): Refusal {
  if (possible[0] !== undefined) return fieldClosed(possible[0][0]);
  return broken.get(unchanged[0]?.[0] ?? '') ?? changedSince();
}

/** Returns the values that are derived from the restored values and from the current values of other fields. */
function derivedValues(
  model: EntityModel,
  current: AttributeValues,
  restored: AttributeValues,
): AttributeValues {
  const derived = derivedFields(model);
  const { values } = deriveValues(model, current, restored);
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => derived.has(model.attribute.get(name)?.field ?? '')),
  );
}

/** The fields whose values are derived from other fields: full names, durations, converted amounts. */
const derivedFields = perModel(({ fields, attribute }): ReadonlySet<string> => {
  const isDerived = ([field, definition]: readonly [string, FieldDefinition]): boolean => {
    const type = fieldTypeOf(definition);
    return (
      type.composedOf !== undefined ||
      type.deriveFromOthers?.(field, definition, attribute) !== undefined
    );
  };
  return new Set([...fields].filter(isDerived).map(([field]) => field));
});

interface ChangedValue {
  readonly attribute: Attribute;
  readonly before: AttributeValue;
  readonly after: AttributeValue;
}

/**
 * Returns, by field, the stored values of the fields that a change affected, including values that it left unchanged,
 * because a field is restored completely or not at all. Omits the names of linked records, which are read again, values
 * that are derived from other fields, and the plan of a merge, which has already been carried out.
 */
export function changedFields(
  model: EntityModel,
  { changes }: Effect,
): ReadonlyMap<string, readonly ChangedValue[]> {
  const values = changes.flatMap(({ attribute: name, before, after }): readonly ChangedValue[] => {
    const attribute = model.attribute.get(name);
    if (attribute?.stored !== true || systemAttributes.has(name)) return [];
    if (derivedFields(model).has(attribute.field)) return [];
    const { readOnly, type } = model.fields.get(attribute.field) ?? {};
    const isInternal = readOnly === true && type === 'secret';
    return isInternal ? [] : [{ attribute, before, after }];
  });
  const byField = Map.groupBy(values, ({ attribute }) => attribute.field);
  const differs = ({ attribute, before, after }: ChangedValue) => !isSame(attribute, before, after);
  return new Map([...byField].filter(([, ofField]) => ofField.some(differs)));
}

/** Returns the changed fields whose values differ from their earlier values. */
export function keptFields(
  model: EntityModel,
  effect: Effect,
  state: RecordState,
): readonly string[] {
  if (effect.kind !== 'updated') return [];
  const changed = [...changedFields(model, effect)];
  return changed.filter(([, values]) => !has(state, values, 'before')).map(([field]) => field);
}

function has(
  { values }: RecordState,
  changed: readonly ChangedValue[],
  side: 'before' | 'after',
): boolean {
  return changed.every((one) => isSame(one.attribute, values[one.attribute.name], one[side]));
}

/** Returns true if the record is unchanged since it appeared, because later events cancel each other out. */
function isUnchanged(
  { version, values }: RecordState,
  model: EntityModel,
  effect: Effect,
): boolean {
  if (version === effect.version) return true;
  // The history may lag behind the log.
  if (version !== effect.seen) return false;
  return (
    effect.replaced?.every(({ attribute: name, before }) => {
      const attribute = model.attribute.get(name);
      return attribute?.stored !== true || isSame(attribute, values[name], before);
    }) === true
  );
}

/** Events and rows may omit empty values. */
function isSame(
  attribute: Attribute,
  one: AttributeValue | undefined,
  other: AttributeValue,
): boolean {
  const empty = emptyValue(attribute);
  return sameValue(one ?? empty, other ?? empty);
}

function changedSince(): Refusal {
  const message = 'The record has changed since then. Undoing would overwrite a later change.';
  return new Refusal('conflict', 'undo.changed_since', message);
}

function alreadyUndone(): Refusal {
  const message =
    'There is nothing left to undo: the record is already in the state from before the change.';
  return new Refusal('conflict', 'undo.done', message);
}
