import type { Entity } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { attributesOf } from './field-types.ts';
import type { Values } from './input-parts.ts';

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
 * Merges a form's changes with a later version of its record. `base` is the version that the form was opened with.
 * Fields count as a whole: two changes to different parts of an address are a conflict.
 */
export function mergeChanges(
  entity: Entity,
  {
    base,
    latest,
    changed,
  }: { readonly base: AnyRecord; readonly latest: AnyRecord; readonly changed: Values },
): MergedChanges {
  const isOwn = (name: string): boolean =>
    ownAttributes(entity, name, changed).some(
      (attribute) => !isSame(changed[attribute], base[attribute]),
    );
  const isTheirs = (name: string): boolean =>
    attributesIn(entity, name).some((attribute) => !isSame(latest[attribute], base[attribute]));
  const isEqual = (name: string): boolean =>
    ownAttributes(entity, name, changed).every((attribute) =>
      isSame(changed[attribute], latest[attribute]),
    );
  const names = Object.keys(entity.fields).filter(
    (name) => !entity.fields[name]?.readOnly && (isOwn(name) || isTheirs(name)),
  );
  const kept = names.filter((name) => isOwn(name) && !isTheirs(name));
  return {
    values: valuesOf(entity, kept, changed),
    conflicts: names.filter((name) => isOwn(name) && isTheirs(name) && !isEqual(name)),
    theirs: names.filter((name) => !isOwn(name)),
  };
}

/** Returns the form's changes to the fields. */
export function valuesOf(entity: Entity, names: readonly string[], changed: Values): Values {
  return Object.fromEntries(
    names
      .flatMap((name) => ownAttributes(entity, name, changed))
      .map((attribute) => [attribute, changed[attribute]]),
  );
}

function ownAttributes(entity: Entity, name: string, changed: Values): readonly string[] {
  return attributesIn(entity, name).filter((attribute) => attribute in changed);
}

/** Returns a field's attributes, including the list of an e-mail or phone field. */
function attributesIn(entity: Entity, name: string): readonly string[] {
  return [...attributesOf(entity, name), `${name}Data`];
}

/** A missing value, null, an empty text and an empty list are the same. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(normal(one)) === JSON.stringify(normal(other));
}

function normal(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}
