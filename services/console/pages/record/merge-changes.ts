import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { eventFields, isEvent } from '../../fields/event-times.ts';
import { attributesOf } from '../../fields/field-types.ts';
import type { Values } from '../../fields/input-parts.ts';

/** The changes of two users to the same version of a record. */
interface MergedChanges {
  /** Own changes of fields that the other user has not changed. */
  readonly values: Values;
  /** Fields that both users have set to different values. */
  readonly conflicts: readonly string[];
  /** Fields that only the other user has changed. */
  readonly theirs: readonly string[];
}

/**
 * Merges a form's changes with a later version of its record. `base` is the version with which the form was opened. A
 * field counts as a whole: changes to different parts of an address are a conflict. The times of an event also count as
 * one field.
 */
export function mergeChanges(
  entity: Entity,
  {
    base,
    latest,
    changed,
  }: { readonly base: AnyRecord; readonly latest: AnyRecord; readonly changed: Values },
): MergedChanges {
  const shown: Values = { ...base, ...changed };
  const hasChange = (name: string, before: Values, after: Values): boolean =>
    attributesOf(entity, name).some((attribute) => !isSame(before[attribute], after[attribute]));
  const hasChangeOfWhole = (name: string, before: Values, after: Values): boolean =>
    wholeOf(entity, name).some((one) => hasChange(one, before, after));
  const names = Object.keys(entity.fields).filter((name) => !entity.fields[name]?.readOnly);
  const own = names.filter((name) => hasChangeOfWhole(name, base, shown));
  const isTheirs = (name: string): boolean => hasChangeOfWhole(name, base, latest);
  return {
    values: wholeValuesOf(
      entity,
      own.filter((name) => !isTheirs(name)),
      shown,
    ),
    conflicts: own.filter(
      (name) =>
        isTheirs(name) &&
        hasChangeOfWhole(name, shown, latest) &&
        wholeOf(entity, name).includes(name),
    ),
    theirs: names.filter((name) => !own.includes(name) && hasChange(name, base, latest)),
  };
}

/**
 * Returns the values of whole fields, because the parts of a field, such as an amount and its currency, are valid only
 * together.
 */
export function wholeValuesOf(entity: Entity, names: readonly string[], shown: Values): Values {
  return Object.fromEntries(
    names
      .flatMap((name) => wholeOf(entity, name))
      .flatMap((name) => attributesOf(entity, name))
      .filter((attribute) => attribute in shown)
      .map((attribute) => [attribute, shown[attribute]]),
  );
}

/**
 * Returns the fields that can only be merged together with the field: start, end and all-day flag of an event. Omits
 * the duration, which the server derives from start and end.
 */
export function wholeOf(entity: Entity, name: string): readonly string[] {
  if (!isEvent(entity) || !eventFields.has(name)) return [name];
  return [...eventFields].filter((one) => one !== 'duration' && one in entity.fields);
}

/** A missing value, null, an empty text and an empty list are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(normal(one)) === JSON.stringify(normal(other));
}

function normal(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}
